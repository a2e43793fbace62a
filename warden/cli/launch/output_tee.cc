#include "warden/cli/launch/output_tee.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>

#include "warden/base/log.h"
#include "warden/cli/launch/output_copier.h"

namespace warden::cli {
namespace {

constexpr uint64_t kLogFileBytes = 1 << 20;
constexpr int kLogFiles = 8;
constexpr int kDrainMs = 2000;

// What the training writes to, and what its output is read from.
struct Ends {
  os::UniqueFd write, read;
};

std::optional<Ends> NewPipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  return Ends{os::UniqueFd(ends[1]), os::UniqueFd(ends[0])};
}

// A terminal like the one of this descriptor, which leaves bytes as they are: that one changes them
// already.
std::optional<Ends> NewTerminal(int like) {
  os::UniqueFd read(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  char name[128];
  if (!read.ok() || grantpt(read.get()) != 0 || unlockpt(read.get()) != 0 ||
      ptsname_r(read.get(), name, sizeof(name)) != 0) {
    return std::nullopt;
  }
  os::UniqueFd write(open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
  termios modes{};
  if (!write.ok() || tcgetattr(like, &modes) != 0) return std::nullopt;
  modes.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  modes.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  tcsetattr(write.get(), TCSANOW, &modes);
  winsize size{};
  if (ioctl(like, TIOCGWINSZ, &size) == 0) ioctl(read.get(), TIOCSWINSZ, &size);
  return Ends{std::move(write), std::move(read)};
}

std::optional<Ends> EndsLike(int descriptor) {
  return isatty(descriptor) == 1 ? NewTerminal(descriptor) : NewPipe();
}

// As "2>&1" does it: lines of both must keep their order.
bool AreOne(int a, int b) {
  struct stat of_a{}, of_b{};
  return fstat(a, &of_a) == 0 && fstat(b, &of_b) == 0 && os::IsSameFile(of_a, of_b);
}

bool IsOpen(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

// The process, to its end. Whoever reads what the training prints must not wait for anything else
// that we have open.
[[noreturn]] void CopyAll(const std::string& folder, int output, int errors, int control) {
  int kept[] = {STDOUT_FILENO, STDERR_FILENO, output, errors, control};
  std::sort(std::begin(kept), std::end(kept));
  unsigned next = 0;
  for (const int fd : kept) {
    if (fd < 0) continue;
    const auto number = static_cast<unsigned>(fd);
    if (number > next) close_range(next, number - 1, 0);
    next = number + 1;
  }
  close_range(next, ~0U, 0);
  auto log = jobs::LogWriter::Open(folder, kLogFileBytes, kLogFiles, /*keeps_first=*/true);
  OutputCopier copier(log.ok() ? std::move(log.value()) : nullptr);
  if (errors < 0) close(STDERR_FILENO);
  if (output >= 0) copier.Add(output, STDOUT_FILENO);
  if (errors >= 0) copier.Add(errors, STDERR_FILENO);
  copier.Run(control);
  _exit(0);
}

}  // namespace

std::unique_ptr<OutputTee> OutputTee::Start(const std::string& folder) {
  const auto fail = [](const char* what) {
    LogWarning("the output of the training is not kept: cannot create {}", what);
    return nullptr;
  };
  if (!IsOpen(STDOUT_FILENO) || !IsOpen(STDERR_FILENO)) return nullptr;
  std::unique_ptr<OutputTee> tee(new OutputTee());
  tee->one_for_both_ = AreOne(STDOUT_FILENO, STDERR_FILENO);
  auto output = EndsLike(STDOUT_FILENO);
  if (!output) return fail("a pipe");
  std::optional<Ends> errors;
  if (!tee->one_for_both_ && !(errors = EndsLike(STDERR_FILENO))) return fail("a pipe");
  for (const Ends* ends : {&*output, errors ? &*errors : nullptr}) {
    if (ends != nullptr) fcntl(ends->read.get(), F_SETFL, O_NONBLOCK);
  }
  int control[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) != 0) return fail("a socket");
  tee->control_ = os::UniqueFd(control[0]);
  const os::UniqueFd other(control[1]);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  tee->pid_ = fork();
  if (tee->pid_ == 0) {
    CopyAll(folder, output->read.get(), errors ? errors->read.get() : -1, other.get());
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (tee->pid_ < 0) return fail("a process");
  tee->output_ = std::move(output->write);
  if (errors) tee->errors_ = std::move(errors->write);
  if (isatty(STDOUT_FILENO) == 1) {
    tee->terminal_ = std::move(output->read);
  } else if (errors && isatty(STDERR_FILENO) == 1) {
    tee->terminal_ = std::move(errors->read);
  }
  return tee;
}

OutputTee::~OutputTee() {
  if (pid_ > 0) waitpid(pid_, nullptr, WNOHANG);
}

void OutputTee::CloseInputs() {
  output_ = os::UniqueFd();
  errors_ = os::UniqueFd();
  one_for_both_ = false;
}

void OutputTee::Resize() const {
  winsize size{};
  const int ours = isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO;
  if (terminal_.ok() && ioctl(ours, TIOCGWINSZ, &size) == 0) {
    ioctl(terminal_.get(), TIOCSWINSZ, &size);
  }
}

void OutputTee::Drain() {
  if (!control_.ok() || send(control_.get(), "d", 1, MSG_NOSIGNAL) != 1) return;
  pollfd waiting{control_.get(), POLLIN, 0};
  while (poll(&waiting, 1, kDrainMs) < 0 && errno == EINTR) {
  }
}

}  // namespace warden::cli
