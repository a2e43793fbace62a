#ifndef WARDEN_TIMELINE_MERGE_TEXT_SINK_H_
#define WARDEN_TIMELINE_MERGE_TEXT_SINK_H_

// The output of a merge: a large text file that is complete or not there. Not flushed to the disk
// before it is renamed: a merged timeline can be made again, unlike the files of a run.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/posix.h"

namespace warden::timeline {

// A file in the making, written in large blocks, gzip if asked. It gets its name with Commit();
// without that, it leaves nothing behind. Used by MergeTimelines. For one thread.
//
//   auto sink = TextSink::Create("out.json", /*gzip=*/false);
//   sink.value().buffer()->append("...");
//   sink.value().FlushIfFull();
//   Status status = sink.value().Commit();
class TextSink {
 public:
  // Creates "<path>.<pid>.tmp". kIo if that fails. An older unfinished file of the same process
  // number is overwritten. gzip: at the fastest level, since timelines repeat themselves so much
  // that more brings little.
  static Result<TextSink> Create(std::string path, bool gzip);
  TextSink(TextSink&&) noexcept;
  TextSink& operator=(TextSink&&) = delete;
  ~TextSink();

  // The buffer to append to; written by FlushIfFull, which is to be called often. Do not keep the
  // pointer over a move.
  std::string* buffer() { return &buffer_; }
  // In blocks of 1 MiB. After the first error nothing is written any more; Commit reports it.
  void FlushIfFull() {
    if (buffer_.size() >= kBlock) Flush();
  }

  // Writes the rest and renames the file to its path, replacing what is there. The first error of
  // all writes (kIo); the file is then removed with this object. Call it once, at the end.
  Status Commit();
  // Bytes written so far, as they are on disk.
  uint64_t bytes() const { return bytes_; }

 private:
  static constexpr size_t kBlock = size_t{1} << 20;
  struct Packer;

  TextSink(std::string path, std::string unfinished, os::UniqueFd fd);
  void Flush();
  // Compresses into blocks and writes them; `last` ends the gzip stream.
  void Pack(std::string_view text, bool last);
  void Write(std::string_view bytes);

  std::string path_;
  std::string unfinished_;  // Its name until then; empty once it is committed or moved from.
  os::UniqueFd fd_;
  std::string buffer_;
  std::unique_ptr<Packer> packer_;
  Status status_;
  uint64_t bytes_ = 0;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_MERGE_TEXT_SINK_H_
