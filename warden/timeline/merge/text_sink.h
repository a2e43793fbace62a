#ifndef WARDEN_TIMELINE_MERGE_TEXT_SINK_H_
#define WARDEN_TIMELINE_MERGE_TEXT_SINK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/os/posix.h"

namespace warden::timeline {

// A file in the making, written in large blocks, packed if asked. It gets its name at the end; if
// that does not come, it leaves nothing. For one thread.
class TextSink {
 public:
  static Result<TextSink> Create(std::string path, bool gzip);
  TextSink(TextSink&&) noexcept;
  TextSink& operator=(TextSink&&) = delete;
  ~TextSink();

  // The buffer to append to; handed on in FlushIfFull, which is to be called often.
  std::string* buffer() { return &buffer_; }
  void FlushIfFull() {
    if (buffer_.size() >= kBlock) Flush();
  }

  // The first error of all, or the file under its name.
  Status Commit();
  uint64_t bytes() const { return bytes_; }

 private:
  static constexpr size_t kBlock = size_t{1} << 20;
  struct Packer;

  TextSink(std::string path, std::string unfinished, os::UniqueFd fd);
  void Flush();
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
