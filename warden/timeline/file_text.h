#ifndef WARDEN_TIMELINE_FILE_TEXT_H_
#define WARDEN_TIMELINE_FILE_TEXT_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::timeline {

// Text that a parser may read some bytes beyond the end of.
class PaddedText {
 public:
  static constexpr size_t kPadding = 64;

  std::string_view text() const { return {data_.get(), size_}; }
  size_t size() const { return size_; }
  char* data() { return data_.get(); }

  // Room for so many bytes; what is there already stays.
  void Reserve(size_t capacity);
  // REQUIRES: room for them. The bytes themselves are written through data().
  void SetSize(size_t size);
  void Append(std::string_view more);
  // Leaves out the first bytes.
  void Drop(size_t bytes);

 private:
  std::unique_ptr<char[]> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// What a regular file holds from `offset` on, at most `most` bytes of it, added to *text. A file
// that shrinks while it is read gives what was left.
Status ReadFilePart(const std::string& path, size_t offset, size_t most, PaddedText* text);
// The whole file.
Result<PaddedText> ReadWholeFile(const std::string& path);
// The whole file, unpacked. A file that is cut gives what can be unpacked, and *cut says so.
// kCorrupt if it would be more than `most` bytes or is no gzip file.
Result<PaddedText> ReadGzipFile(const std::string& path, size_t most, bool* cut);

// What a trace may have unpacked: beyond that it is taken for an attack.
inline constexpr size_t kMostUnpacked = size_t{2} << 30;

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_FILE_TEXT_H_
