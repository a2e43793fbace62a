#include "warden/cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "warden/base/json.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

constexpr size_t kBlock = 64 << 10;

// 0, or the error number.
int WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<size_t>(n));
  }
  return 0;
}

}  // namespace

void Output::Write(std::string_view text) {
  buffer_ += text;
  WriteIfFull();
}

void Output::WriteIfFull() {
  if (buffer_.size() >= kBlock) (void)Flush();
}

void Output::PrintJson(const Json& value) { Write(DumpLikePython(value) + "\n"); }

Status Output::Flush() {
  if (status_.ok()) {
    if (const int error = WriteAll(results_, buffer_); error != 0) {
      status_ = Status(Code::kIo, fmt::format("standard output: {}", std::strerror(error)));
    }
  }
  buffer_.clear();
  return status_;
}

void Output::Tell(std::string_view message) {
  // In the order in which it was said, should both go to the same place.
  (void)Flush();
  ShowProgress("");
  WriteAll(messages_, fmt::format("warden: {}\n", message));
}

void Output::ShowProgress(std::string_view line) {
  if (line.empty() && !progress_shown_) return;
  if (isatty(messages_) != 1) return;
  const auto width = static_cast<size_t>(terminal_.width - 1);
  WriteAll(messages_, fmt::format("\r\x1b[K{}", Shorten(line, width, CutMark(terminal_))));
  progress_shown_ = !line.empty();
}

}  // namespace warden::cli
