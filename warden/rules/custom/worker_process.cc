#include "warden/rules/custom/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/os/program.h"

namespace warden::rules {
namespace {

using std::chrono::milliseconds;

constexpr size_t kMostAnswer = 16 << 20;
constexpr size_t kMostTail = 4096;
constexpr size_t kMostLine = 1000;
constexpr milliseconds kGrace{2000};  // To end by itself.
constexpr milliseconds kSlice{200};   // Between two looks whether it still lives.

Status SystemError(const char* what, int error) {
  return Status(Code::kIo, fmt::format("{}: {}", what, std::strerror(error)));
}

// What is no UTF-8 is replaced: messages end up in JSON.
std::string AsUtf8(std::string_view text) {
  const std::string quoted =
      Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto read = ParseJson(quoted);
  return read.ok() && read.value().is_string() ? read.value().get<std::string>() : "";
}

std::string HowItEnded(const siginfo_t& info) {
  if (info.si_pid == 0) return "has exited";
  if (info.si_code == CLD_EXITED) return fmt::format("exited with code {}", info.si_status);
  return fmt::format("was killed by signal {} ({})", info.si_status, strsignal(info.si_status));
}

}  // namespace

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::Start(const std::vector<std::string>& command,
                                                            OnLine on_line) {
  int ends[2];
  // A socket, because writing to it can be told not to raise SIGPIPE.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return SystemError("socketpair", errno);
  }
  os::UniqueFd channel(ends[0]);
  const os::UniqueFd its_channel(ends[1]);
  if (pipe2(ends, O_CLOEXEC) != 0) return SystemError("pipe", errno);
  os::UniqueFd errors(ends[0]);
  const os::UniqueFd its_errors(ends[1]);
  os::Program program;
  program.words = command;
  program.files = std::vector{command.front()};
  program.input = its_channel.get();
  program.output = its_channel.get();
  program.errors = its_errors.get();
  program.keeps_files = true;
  program.group = os::Program::Group::kOwn;
  program.last_signal = SIGKILL;
  program.fails_by_exit_code = true;
  const os::Started started = os::StartProgram(std::move(program));
  if (started.pid < 0) return SystemError("fork", started.error);
  fcntl(channel.get(), F_SETFL, O_NONBLOCK);
  fcntl(errors.get(), F_SETFL, O_NONBLOCK);
  return std::unique_ptr<WorkerProcess>(
      new WorkerProcess(started.pid, std::move(channel), std::move(errors), std::move(on_line)));
}

WorkerProcess::~WorkerProcess() {
  if (reaped_) return;
  channel_ = os::UniqueFd();
  WaitForEnd(kGrace);
  End();
}

Result<Json> WorkerProcess::Ask(const Json& request, milliseconds timeout) {
  if (reaped_) return Status(Code::kIo, "has exited");
  std::string outgoing = request.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const auto deadline = Clock::now() + timeout;
  while (true) {
    if (const size_t end = incoming_.find('\n'); end != std::string::npos) {
      auto answer = ParseJson(std::string_view(incoming_).substr(0, end));
      incoming_.erase(0, end + 1);
      if (answer.ok() && answer.value().is_object()) return answer;
      return Failed(Code::kCorrupt, "sent an answer that is not a JSON object");
    }
    if (incoming_.size() > kMostAnswer)
      return Failed(Code::kCorrupt,
                    "sent an answer larger than "
                    "16 MiB");
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      return Failed(Code::kUnavailable,
                    fmt::format("did not answer within {:g} s and was killed",
                                std::chrono::duration<double>(timeout).count()));
    }
    const bool ended = HasEnded();  // Before looking for what it may have said.
    if (!Exchange(&outgoing, ended ? milliseconds(0) : std::min(left, kSlice)) ||
        (ended && incoming_.find('\n') == std::string::npos)) {
      return Failed(Code::kIo, "");
    }
  }
}

bool WorkerProcess::Exchange(std::string* outgoing, milliseconds wait) {
  const short interest = outgoing->empty() ? POLLIN : POLLIN | POLLOUT;
  pollfd ready[] = {{channel_.get(), interest, 0}, {errors_.get(), POLLIN, 0}};
  if (poll(ready, std::size(ready), static_cast<int>(wait.count())) < 0) return errno == EINTR;
  if (ready[1].revents != 0) TakeErrors();
  if ((ready[0].revents & POLLOUT) != 0) {
    const ssize_t sent = send(channel_.get(), outgoing->data(), outgoing->size(), MSG_NOSIGNAL);
    if (sent > 0) outgoing->erase(0, static_cast<size_t>(sent));
  }
  return (ready[0].revents & (POLLIN | POLLHUP | POLLERR)) == 0 || Receive();
}

bool WorkerProcess::Receive() {
  char block[1 << 16];
  const ssize_t n = recv(channel_.get(), block, sizeof(block), 0);
  if (n > 0) incoming_.append(block, static_cast<size_t>(n));
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

void WorkerProcess::TakeErrors() {
  char block[1 << 14];
  ssize_t n = 0;
  // Not for ever: it may print faster than we read.
  for (int i = 0; i < 16 && errors_.ok(); ++i) {
    n = read(errors_.get(), block, sizeof(block));
    if (n <= 0) break;
    const std::string_view text(block, static_cast<size_t>(n));
    tail_.append(text);
    if (tail_.size() > kMostTail) tail_.erase(0, tail_.size() - kMostTail);
    line_.append(text);
    TellLines();
  }
  if (n == 0) errors_ = os::UniqueFd();
}

void WorkerProcess::TellLines() {
  size_t begin = 0;
  for (size_t end; (end = line_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    on_line_(AsUtf8(std::string_view(line_).substr(begin, std::min(end - begin, kMostLine))));
  }
  line_.erase(0, begin);
  if (line_.size() > kMostLine) line_.resize(kMostLine);
}

bool WorkerProcess::HasEnded() const {
  siginfo_t info{};
  const int result = waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return result != 0 ? errno == ECHILD : info.si_pid != 0;
}

bool WorkerProcess::WaitForEnd(milliseconds wait) {
  const auto deadline = Clock::now() + wait;
  while (!HasEnded()) {
    if (Clock::now() >= deadline) return false;
    TakeErrors();  // It may not be able to end before they are read.
    std::this_thread::sleep_for(milliseconds(2));
  }
  return true;
}

std::string WorkerProcess::End() {
  siginfo_t info{};
  // Before it is reaped, as long as its number is surely not somebody else's.
  if (HasEnded()) {
    waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  }
  kill(-pid_, SIGKILL);
  WaitForEnd(kGrace);
  if (errors_.ok()) TakeErrors();
  waitpid(pid_, nullptr, WNOHANG);
  reaped_ = true;
  channel_ = os::UniqueFd();
  errors_ = os::UniqueFd();
  return HowItEnded(info);
}

Status WorkerProcess::Failed(Code code, std::string_view what) {
  if (what.empty()) WaitForEnd(kGrace);
  const std::string ended = End();
  std::string message = what.empty() ? ended : std::string(what);
  const std::string tail = AsUtf8(Trim(tail_));
  if (!tail.empty()) message += "; its output:\n" + tail;
  return Status(code, std::move(message));
}

}  // namespace warden::rules
