#include "warden/rules/custom/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "warden/base/json.h"
#include "warden/base/strings.h"

namespace warden::rules {
namespace {

using std::chrono::milliseconds;

constexpr size_t kMostAnswer = 16 << 20;
constexpr size_t kMostTail = 4096;
constexpr size_t kMostLine = 1000;
constexpr milliseconds kGrace{2000};  // To end by itself.
constexpr milliseconds kSlice{200};   // Between two looks whether it still lives.
constexpr int kFirstFreeDescriptor = 3;

// In the child, after fork: only calls that are safe there.
[[noreturn]] void Become(char* const* argv, pid_t parent, int channel, int errors) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  // Out of the way first, in case the parent had closed its own.
  channel = fcntl(channel, F_DUPFD_CLOEXEC, kFirstFreeDescriptor);
  errors = fcntl(errors, F_DUPFD_CLOEXEC, kFirstFreeDescriptor);
  dup2(channel, STDIN_FILENO);
  dup2(channel, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  execv(argv[0], argv);
  // What our output has buffered must not pass for an answer: sanitizers write it out even here.
  close(STDOUT_FILENO);
  _exit(127);
}

// With all signals blocked, so that no handler of ours runs in the child.
pid_t Fork(const std::vector<std::string>& command, int channel, int errors) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t parent = getpid();
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = fork();
  if (pid == 0) Become(argv.data(), parent, channel, errors);
  if (pid > 0) setpgid(pid, pid);  // Whoever comes first.
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return pid;
}

Status SystemError(const char* what) {
  return Status(Code::kIo, fmt::format("{}: {}", what, std::strerror(errno)));
}

void Close(int* descriptor) {
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
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
  int channel[2];
  int errors[2];
  // A socket, because writing to it can be told not to raise SIGPIPE.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0) {
    return SystemError("socketpair");
  }
  if (pipe2(errors, O_CLOEXEC) != 0) {
    const Status status = SystemError("pipe");
    close(channel[0]);
    close(channel[1]);
    return status;
  }
  const pid_t pid = Fork(command, channel[1], errors[1]);
  const Status failed = pid < 0 ? SystemError("fork") : Status();
  close(channel[1]);
  close(errors[1]);
  if (!failed.ok()) {
    close(channel[0]);
    close(errors[0]);
    return failed;
  }
  fcntl(channel[0], F_SETFL, O_NONBLOCK);
  fcntl(errors[0], F_SETFL, O_NONBLOCK);
  return std::unique_ptr<WorkerProcess>(
      new WorkerProcess(pid, channel[0], errors[0], std::move(on_line)));
}

WorkerProcess::~WorkerProcess() {
  if (reaped_) return;
  Close(&channel_);
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
  pollfd ready[] = {{channel_, interest, 0}, {errors_, POLLIN, 0}};
  if (poll(ready, std::size(ready), static_cast<int>(wait.count())) < 0) return errno == EINTR;
  if (ready[1].revents != 0) TakeErrors();
  if ((ready[0].revents & POLLOUT) != 0) {
    const ssize_t sent = send(channel_, outgoing->data(), outgoing->size(), MSG_NOSIGNAL);
    if (sent > 0) outgoing->erase(0, static_cast<size_t>(sent));
  }
  return (ready[0].revents & (POLLIN | POLLHUP | POLLERR)) == 0 || Receive();
}

bool WorkerProcess::Receive() {
  char block[1 << 16];
  const ssize_t n = recv(channel_, block, sizeof(block), 0);
  if (n > 0) incoming_.append(block, static_cast<size_t>(n));
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

void WorkerProcess::TakeErrors() {
  char block[1 << 14];
  ssize_t n = 0;
  // Not for ever: it may print faster than we read.
  for (int i = 0; i < 16 && errors_ >= 0; ++i) {
    n = read(errors_, block, sizeof(block));
    if (n <= 0) break;
    const std::string_view text(block, static_cast<size_t>(n));
    tail_.append(text);
    if (tail_.size() > kMostTail) tail_.erase(0, tail_.size() - kMostTail);
    line_.append(text);
    TellLines();
  }
  if (n == 0) Close(&errors_);
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
  if (errors_ >= 0) TakeErrors();
  waitpid(pid_, nullptr, WNOHANG);
  reaped_ = true;
  Close(&channel_);
  Close(&errors_);
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
