#include "warden/cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "warden/base/json.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

constexpr size_t kOutputBlock = 64 << 10;
constexpr std::chrono::milliseconds kProgressDelay{700};
constexpr std::chrono::milliseconds kProgressInterval{100};

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

Output::Output(int results, int messages, const Terminal& terminal)
    : results_(results),
      messages_(messages),
      terminal_(terminal),
      next_progress_(std::chrono::steady_clock::now() + kProgressDelay) {}

void Output::Write(std::string_view text) {
  buffer_ += text;
  WriteIfFull();
}

void Output::WriteIfFull() {
  if (buffer_.size() >= kOutputBlock) (void)Flush();
}

void Output::PrintJson(const Json& value) { Write(DumpLikePython(value) + "\n"); }

Status Output::Flush() {
  RemoveProgress();
  if (status_.ok()) {
    if (const int error = WriteAll(results_, buffer_); error != 0) {
      status_ = Status(Code::kIo, fmt::format("standard output: {}", std::strerror(error)));
    }
  }
  buffer_.clear();
  return status_;
}

void Output::Tell(std::string_view message) {
  // Keeps the order if both go to the same place.
  (void)Flush();
  RemoveProgress();
  WriteAll(messages_, fmt::format("warden: {}\n", message));
}

void Output::ShowProgress(const std::function<std::string()>& line) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_progress_ || isatty(messages_) != 1) return;
  next_progress_ = now + kProgressInterval;
  const auto width = static_cast<size_t>(terminal_.width - 1);
  WriteAll(messages_, fmt::format("\r\x1b[K{}", Shorten(line(), width, CutMark(terminal_))));
  progress_shown_ = true;
}

void Output::RemoveProgress() {
  if (std::exchange(progress_shown_, false)) WriteAll(messages_, "\r\x1b[K");
}

}  // namespace warden::cli
