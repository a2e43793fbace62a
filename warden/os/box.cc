#include "warden/os/box.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <utility>

#include "warden/os/box_mounts.h"

namespace warden::os {
namespace {

constexpr int kSpaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
constexpr int kPassedOn[] = {SIGTERM, SIGINT, SIGHUP};
// More than the kernel has; it says where they end.
constexpr unsigned long kMostCapabilities = 64;
// The exit status of a process that could not make its box, as waitpid has it.
constexpr int kFailedStatus = 1 << 8;

Status SystemCallError(std::string_view call) {
  return Status(Code::kIo, fmt::format("{}: {}", call, ErrorText(errno)));
}

Status WriteOnce(const std::string& path, const std::string& text) {
  const UniqueFd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.ok()) return IoError("open", path, errno);
  if (write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) {
    return Status();
  }
  return IoError("write", path, errno);
}

// Takes this process out of the namespaces that it shares with others. Its children are the first
// in the new process namespace.
Status LeaveCommonSpaces(const Box& box) {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  const int spaces = kSpaces | (box.network ? 0 : CLONE_NEWNET);
  if (!box.without_root && unshare(spaces) == 0) return Status();
  if (!box.without_root) return SystemCallError("unshare");
  if (unshare(spaces | CLONE_NEWUSER) != 0) return SystemCallError("unshare");
  // Who we are stays the same; without this the kernel would call us nobody.
  Status status = WriteOnce("/proc/self/setgroups", "deny");
  if (status.ok()) status = WriteOnce("/proc/self/uid_map", fmt::format("{0} {0} 1", user));
  if (status.ok()) status = WriteOnce("/proc/self/gid_map", fmt::format("{0} {0} 1", group));
  return status;
}

// So that programs can connect to themselves.
Status StartLoopback() {
  const UniqueFd any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (any.ok() && ioctl(any.get(), SIOCSIFFLAGS, &request) == 0) return Status();
  return SystemCallError("cannot start the loopback device");
}

void BlockPassedOn() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : kPassedOn) sigaddset(&signals, signal);
  sigaddset(&signals, SIGCHLD);
  sigprocmask(SIG_SETMASK, &signals, nullptr);
}

Status Arrange(const Box& box) {
  if (!box.network) {
    if (Status status = StartLoopback(); !status.ok()) return status;
  }
  if (!box.host_name.empty() && sethostname(box.host_name.data(), box.host_name.size()) != 0) {
    return SystemCallError("sethostname");
  }
  return ArrangeMounts(box);
}

// Keeps those that the program leaves behind, until the program itself ends; how it ended.
int FollowProgram(pid_t program) {
  sigset_t signals;
  sigprocmask(SIG_BLOCK, nullptr, &signals);
  for (;;) {
    int state = 0;
    for (pid_t ended = 0; (ended = waitpid(-1, &state, WNOHANG)) > 0;) {
      if (ended == program) return state;
    }
    siginfo_t signal{};
    if (sigwaitinfo(&signals, &signal) < 0 || signal.si_signo == SIGCHLD) continue;
    kill(-program, signal.si_signo);
  }
}

// With the process that started this one, which reads from the pipe.
void DieWith(int pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have gone before that.
  pollfd reader{pipe, 0, 0};
  if (poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR) != 0) _exit(1);
}

// The first process of the box: all others end with it.
[[noreturn]] void BeFirst(const Box& box, Program program, int told) {
  const auto tell = [told](int state) {
    (void)!write(told, &state, sizeof(state));
    _exit(0);
  };
  DieWith(told);
  if (const Status status = Arrange(box); !status.ok()) {
    fmt::print(stderr, "cannot isolate the program: {}\n", status.message());
    tell(kFailedStatus);
  }
  program.group = Program::Group::kOwn;
  program.last_steps = [user = box.user, processes = box.processes] {
    if (processes != 0) {
      const rlimit limit{processes, processes};
      setrlimit(RLIMIT_NPROC, &limit);
    }
    if (GiveUpPrivileges(user) == 0) return;
    constexpr std::string_view kWords = "cannot give up privileges\n";
    (void)!write(STDERR_FILENO, kWords.data(), kWords.size());
    _exit(1);
  };
  const std::string word = program.words.front();
  const std::string folder = program.folder;
  const Started started = StartProgram(std::move(program));
  if (started.pid < 0) {
    fmt::print(stderr, "cannot run {} in {}: {}\n", word, folder, ErrorText(started.error));
    tell(kFailedStatus);
  }
  // The program shares its namespace with us: there must be nothing to gain from us. As the same
  // user we can still send it signals.
  (void)GiveUpPrivileges(box.user);
  prctl(PR_SET_DUMPABLE, 0);
  DieWith(told);  // Another user than before is not told any more.
  tell(FollowProgram(started.pid));
  _exit(1);
}

// Ends this process the way another has ended.
[[noreturn]] void EndAs(int state) {
  if (WIFSIGNALED(state)) {
    const int number = WTERMSIG(state);
    signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    kill(getpid(), number);
    _exit(128 + number);
  }
  _exit(WEXITSTATUS(state));
}

// Calls the function in a new process. False if it returns an error, whose message goes to the
// pipe, or does not return.
bool SucceedsInChild(int pipe, const std::function<Status()>& call) {
  const pid_t child = fork();
  if (child == 0) {
    const Status status = call();
    (void)!write(pipe, status.message().data(), status.message().size());
    _exit(status.ok() ? 0 : 1);
  }
  int state = 0;
  pid_t waited = -1;
  while (child > 0 && (waited = waitpid(child, &state, 0)) < 0 && errno == EINTR) {
  }
  return waited == child && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

// One process leaves the common namespaces, its child is the first in the new one.
bool CanMakeBox(bool without_root, std::string* reason) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  const UniqueFd reader(ends[0]);
  UniqueFd writer(ends[1]);
  const bool can = SucceedsInChild(ends[1], [&] {
    Box box;
    box.without_root = without_root;
    if (Status status = LeaveCommonSpaces(box); !status.ok()) return status;
    const bool arranged = SucceedsInChild(ends[1], [&] { return ArrangeMounts(box); });
    // The child has said why.
    return arranged ? Status() : Status(Code::kIo, "");
  });
  writer = UniqueFd();
  std::array<char, 1000> said{};
  const ssize_t size = read(reader.get(), said.data(), said.size());
  if (size > 0) reason->assign(said.data(), static_cast<size_t>(size));
  return can;
}

}  // namespace

void RunInBox(const Box& box, Program program) {
  int ends[2];
  Status status = LeaveCommonSpaces(box);
  if (status.ok() && pipe2(ends, O_CLOEXEC) != 0) status = SystemCallError("pipe2");
  BlockPassedOn();
  const pid_t first = status.ok() ? fork() : -1;
  if (status.ok() && first < 0) status = SystemCallError("fork");
  if (!status.ok()) {
    fmt::print(stderr, "cannot isolate the program: {}\n", status.message());
    _exit(1);
  }
  if (first == 0) {
    close(ends[0]);
    BeFirst(box, std::move(program), ends[1]);
  }
  close(ends[1]);
  int state = 0;
  ssize_t size = 0;
  while ((size = read(ends[0], &state, sizeof(state))) < 0 && errno == EINTR) {
  }
  int first_state = 0;
  while (waitpid(first, &first_state, 0) < 0 && errno == EINTR) {
  }
  EndAs(size == sizeof(state) ? state : first_state);
}

BoxProbe ProbeBox() {
  // Root of a container may be less than root.
  std::string reason;
  if (geteuid() == 0 && CanMakeBox(false, &reason)) return {BoxSupport::kAsRoot, ""};
  reason.clear();
  if (CanMakeBox(true, &reason)) return {BoxSupport::kWithoutRoot, ""};
  return {BoxSupport::kNone, reason};
}

Result<BoxEntrance> BoxEntrance::Of(pid_t pid) {
  BoxEntrance entrance;
  // The user first: it gives the right to enter the others. Files last, since the way to the rest
  // is a path.
  for (const char* name : {"user", "ipc", "uts", "net", "pid_for_children", "mnt"}) {
    const std::string theirs = fmt::format("/proc/{}/ns/{}", pid, name);
    UniqueFd space(open(theirs.c_str(), O_RDONLY | O_CLOEXEC));
    if (!space.ok() && IsAbsence(errno)) {
      return Status(Code::kNotFound, fmt::format("no process {} with a box", pid));
    }
    if (!space.ok()) return IoError("open", theirs, errno);
    struct stat one{}, other{};
    fstat(space.get(), &one);
    stat(fmt::format("/proc/self/ns/{}", name).c_str(), &other);
    // A namespace that we are in already cannot always be entered.
    if (!IsSameFile(one, other)) entrance.spaces_.push_back(std::move(space));
  }
  if (entrance.spaces_.empty()) {
    return Status(Code::kNotFound, fmt::format("process {} has no box", pid));
  }
  return entrance;
}

bool BoxEntrance::Enter() const {
  for (const UniqueFd& space : spaces_) {
    if (setns(space.get(), 0) != 0) return false;
  }
  return true;
}

int GiveUpPrivileges(std::optional<uid_t> user) {
  // Before the capability to do so goes.
  for (unsigned long each = 0; each < kMostCapabilities; ++each) {
    if (prctl(PR_CAPBSET_DROP, each, 0, 0, 0) != 0 && errno != EINVAL && errno != EPERM) {
      return errno;
    }
  }
  if (user) {
    const gid_t group = *user;
    // Not the C library's, which would tell all threads of a process that has been forked.
    if (syscall(SYS_setgroups, 0, nullptr) != 0 ||
        syscall(SYS_setresgid, group, group, group) != 0 ||
        syscall(SYS_setresuid, *user, *user, *user) != 0) {
      return errno;
    }
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) != 0) return errno;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
}

}  // namespace warden::os
