#include "warden/jobs/rules/log_output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "warden/os/blocked_signals.h"

namespace warden::jobs {
namespace {

constexpr int kLookMs = 100;

os::UniqueFd CopyOf(int descriptor) { return os::UniqueFd(fcntl(descriptor, F_DUPFD_CLOEXEC, 3)); }

void PutBack(const os::UniqueFd& before, int descriptor) {
  if (before.ok()) dup2(before.get(), descriptor);
}

}  // namespace

Result<std::unique_ptr<LogOutput>> LogOutput::Open(const std::string& folder, uint64_t file_bytes,
                                                   int files) {
  auto log = jobs::LogWriter::Open(folder, file_bytes, files);
  if (!log.ok()) return log.status();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return os::IoError("create", "a pipe", errno);
  os::UniqueFd read_end(ends[0]);
  const os::UniqueFd write_end(ends[1]);
  fcntl(read_end.get(), F_SETFL, O_NONBLOCK);
  std::unique_ptr<LogOutput> output(new LogOutput(std::move(log).value(), std::move(read_end)));
  dup2(write_end.get(), STDOUT_FILENO);
  dup2(write_end.get(), STDERR_FILENO);
  return output;
}

LogOutput::LogOutput(std::unique_ptr<jobs::LogWriter> log, os::UniqueFd read_end)
    : log_(std::move(log)),
      read_end_(std::move(read_end)),
      output_(CopyOf(STDOUT_FILENO)),
      error_(CopyOf(STDERR_FILENO)) {
  const os::BlockedSignals blocked;
  thread_ = std::jthread([this](const std::stop_token& stop) { Copy(stop); });
}

LogOutput::~LogOutput() {
  PutBack(output_, STDOUT_FILENO);
  PutBack(error_, STDERR_FILENO);
  thread_.request_stop();
  thread_.join();
  log_->Close(Now());
}

// A child that was left behind may hold the other end for ever, so its closing is not waited for.
void LogOutput::Copy(const std::stop_token& stop) {
  char buffer[16 << 10];
  while (true) {
    const bool last = stop.stop_requested();
    pollfd waiting{read_end_.get(), POLLIN, 0};
    (void)poll(&waiting, 1, last ? 0 : kLookMs);
    ssize_t size = 0;
    while ((size = read(read_end_.get(), buffer, sizeof(buffer))) > 0) {
      log_->Append({buffer, static_cast<size_t>(size)}, Now());
    }
    if (last || size == 0) return;
  }
}

}  // namespace warden::jobs
