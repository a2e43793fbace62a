#include "warden/jobs/launch/output_pump.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "warden/os/blocked_signals.h"

namespace warden::jobs {
namespace {

constexpr size_t kTail = 4096;

}  // namespace

Result<std::unique_ptr<OutputPump>> OutputPump::Start(std::unique_ptr<LogWriter> log) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return os::IoError("create", "a pipe", errno);
  os::UniqueFd output(ends[0]);
  os::UniqueFd input(ends[1]);
  fcntl(output.get(), F_SETFL, O_NONBLOCK);
  os::UniqueFd wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.ok()) return os::IoError("create", "an event", errno);
  return std::unique_ptr<OutputPump>(
      new OutputPump(std::move(log), std::move(output), std::move(input), std::move(wake)));
}

OutputPump::OutputPump(std::unique_ptr<LogWriter> log, os::UniqueFd output, os::UniqueFd input,
                       os::UniqueFd wake)
    : log_(std::move(log)),
      output_(std::move(output)),
      input_(std::move(input)),
      wake_(std::move(wake)) {
  const os::BlockedSignals blocked;
  thread_ = std::thread([this] { Work(); });
}

OutputPump::~OutputPump() { Finish(); }

void OutputPump::Work() {
  for (;;) {
    pollfd waiting[] = {{output_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    if (poll(waiting, 2, -1) < 0 && errno != EINTR) return;
    // What is there already is read in any case.
    if (waiting[0].revents != 0 && !ReadOnce()) return;
    if (waiting[1].revents != 0 && waiting[0].revents == 0) return;
  }
}

// False when nobody can write any more.
bool OutputPump::ReadOnce() {
  char buffer[65536];
  const ssize_t size = read(output_.get(), buffer, sizeof(buffer));
  if (size < 0) return errno == EINTR || errno == EAGAIN;
  if (size == 0) return false;
  const std::string_view piece(buffer, static_cast<size_t>(size));
  log_->Append(piece, Now());
  tail_.append(piece);
  if (tail_.size() > 4 * kTail) tail_.erase(0, tail_.size() - kTail);
  return true;
}

void OutputPump::Finish() {
  if (!thread_.joinable()) return;
  CloseInput();
  const uint64_t one = 1;
  (void)!write(wake_.get(), &one, sizeof(one));
  thread_.join();
  if (tail_.size() > kTail) tail_.erase(0, tail_.size() - kTail);
  log_->Close(Now());
}

}  // namespace warden::jobs
