#ifndef WARDEN_TIMELINE_FILE_TEXT_H_
#define WARDEN_TIMELINE_FILE_TEXT_H_

// Reading files for parsers that look some bytes beyond the end of their text. Used by everything
// here that reads traces or metrics, and by the dashboard's view of them.
//
//   PaddedText text;
//   if (Status status = ReadFileRange(file, offset, kPiece, &text); !status.ok()) return status;
//   text.Drop(reader.Read(text.text(), last, take));

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::timeline {

// A text that is followed by kPadding readable zero bytes. Can be moved, not copied. For one
// thread.
class PaddedText {
 public:
  static constexpr size_t kPadding = 64;

  // Valid until the next call that is not const.
  std::string_view text() const { return {data_.get(), size_}; }
  size_t size() const { return size_; }
  char* data() { return data_.get(); }

  // Makes room for this many bytes in all; what is there stays, but may move.
  void Reserve(size_t capacity);
  // For text that was written through data(). REQUIRES: Reserve(size) or more.
  void SetSize(size_t size);
  void Append(std::string_view more);
  // Removes the first bytes. REQUIRES: bytes <= size().
  void Drop(size_t bytes);

 private:
  std::unique_ptr<char[]> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// A file to be read.
struct FilePlace {
  std::string path;
  // How much of the path leads to the folder that links after it must not leave (RootOfProfile).
  // npos: the user named the file, and it may be anywhere.
  size_t root = std::string::npos;
};

// Appends to *text what a regular file holds from `offset` on, at most `most` bytes of it; nothing
// if `offset` is beyond its end. A file that shrinks while it is read gives what was left. kIo if
// the file cannot be opened or read, kNotFound if it is not a regular file or a link leads out of
// its root. Never blocks on a FIFO.
Status ReadFileRange(const FilePlace& file, size_t offset, size_t most, PaddedText* text);
// The whole file. Errors as ReadFileRange.
Result<PaddedText> ReadWholeFile(const FilePlace& file);
// The whole file, uncompressed. A file that ends too early, or is damaged after some bytes, gives
// what can be uncompressed, and *cut is true. kCorrupt if it would be more than `most` bytes, is
// larger than 4 GiB, or is not a gzip file. Other errors as ReadFileRange.
Result<PaddedText> ReadGzipFile(const FilePlace& file, size_t most, bool* cut);

// What a trace may have uncompressed; more is taken for an attack on memory.
inline constexpr size_t kMostUnpacked = size_t{2} << 30;

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_FILE_TEXT_H_
