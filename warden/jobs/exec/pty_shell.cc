#include "warden/jobs/exec/pty_shell.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

#include "warden/base/strings.h"
#include "warden/os/box.h"
#include "warden/os/kill_processes.h"
#include "warden/os/process_tree.h"
#include "warden/os/program.h"
#include "warden/os/random.h"

namespace warden::jobs {
namespace {

constexpr std::chrono::milliseconds kGrace{500};
constexpr char kStandardPath[] = "/usr/local/bin:/usr/bin:/bin";

// What the keeper tells: that the program could not be started, or how it ended.
struct Told {
  enum class Kind { kFailedToStart, kEnded };
  Kind kind;
  int number;  // errno, or as waitpid tells it.
};

struct Terminal {
  os::UniqueFd ours;
  os::UniqueFd theirs;
};

Status SystemError(std::string_view what) {
  return Status(Code::kIo, fmt::format("{}: {}", what, std::strerror(errno)));
}

void SetSize(int terminal, const TerminalSize& size) {
  winsize window{};
  window.ws_col = static_cast<unsigned short>(std::clamp(size.columns, 1, 1000));
  window.ws_row = static_cast<unsigned short>(std::clamp(size.rows, 1, 1000));
  ioctl(terminal, TIOCSWINSZ, &window);
}

// One of the box's own, so that programs in it know it by its name.
Result<Terminal> OpenTerminalIn(const ShellBox& box, const TerminalSize& size) {
  Terminal terminal;
  const std::string path = fmt::format("/proc/{}/root/dev/pts/ptmx", box.process);
  terminal.ours = os::UniqueFd(open(path.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  const int unlocked = 0;
  if (!terminal.ours.ok() || ioctl(terminal.ours.get(), TIOCSPTLCK, &unlocked) != 0) {
    return SystemError("cannot create a terminal");
  }
  terminal.theirs =
      os::UniqueFd(ioctl(terminal.ours.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal.theirs.ok()) return SystemError("cannot open the terminal");
  if (box.user) (void)!fchown(terminal.theirs.get(), *box.user, *box.user);
  SetSize(terminal.ours.get(), size);
  return terminal;
}

Result<Terminal> OpenTerminal(const TerminalSize& size) {
  Terminal terminal;
  terminal.ours = os::UniqueFd(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  std::array<char, 128> name{};
  if (!terminal.ours.ok() || grantpt(terminal.ours.get()) != 0 ||
      unlockpt(terminal.ours.get()) != 0 ||
      ptsname_r(terminal.ours.get(), name.data(), name.size()) != 0) {
    return SystemError("cannot create a terminal");
  }
  terminal.theirs = os::UniqueFd(open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal.theirs.ok()) return SystemError("cannot open the terminal");
  SetSize(terminal.ours.get(), size);
  return terminal;
}

std::string PathOf(const std::vector<std::string>& environment) {
  for (const std::string& variable : environment) {
    if (variable.starts_with("PATH=")) return variable.substr(5);
  }
  return kStandardPath;
}

// The files to execute, as a shell with that PATH in that folder would find them. In a box it is
// known only inside which of them there are.
std::vector<std::string> FindFiles(const ShellLaunch& launch) {
  const std::string& word = launch.words.front();
  const auto in_folder = [&](const std::string& path) {
    return path.starts_with('/') ? path : launch.directory + "/" + path;
  };
  if (word.find('/') != std::string::npos) return {in_folder(word)};
  std::vector<std::string> files;
  for (const std::string& folder : SplitTrimmed(PathOf(launch.environment), ':')) {
    const std::string path = in_folder(folder + "/" + word);
    if (launch.box || access(path.c_str(), X_OK) == 0) files.push_back(path);
    if (!launch.box && !files.empty()) break;
  }
  return files;
}

void Tell(int descriptor, Told told) { (void)!write(descriptor, &told, sizeof(told)); }

// On the terminal, where shells would say it.
void SayWhyNot(int terminal, int error) {
  constexpr std::string_view kWords = "cannot run the command: ";
  (void)!write(terminal, kWords.data(), kWords.size());
  const char* reason = strerrordesc_np(error);  // Allowed behind a fork, unlike its sisters.
  if (reason != nullptr) (void)!write(terminal, reason, strlen(reason));
}

void CloseAllBut(int kept) {
  if (kept > 0) syscall(SYS_close_range, 0, static_cast<unsigned>(kept - 1), 0);
  syscall(SYS_close_range, static_cast<unsigned>(kept + 1), ~0U, 0);
}

// Between us and the program stands a process that its orphans fall to, so that all of them are
// found when the session ends. It goes when the last of them has. It may not even allocate.
[[noreturn]] void KeepTheProgram(const os::PreparedProgram& prepared,
                                 const os::BoxEntrance* entrance, int members, int terminal,
                                 int told) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // A group that is gone takes nobody in; the host is about to end then.
  if (members >= 0) (void)!write(members, "0", 1);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  setsid();
  if (entrance != nullptr && !entrance->Enter()) {
    const int error = errno;
    SayWhyNot(terminal, error);
    Tell(told, {Told::Kind::kFailedToStart, error});
    _exit(127);
  }
  const os::Started started = prepared.Start();
  if (started.pid < 0) {
    if (started.tried) SayWhyNot(terminal, started.error);
    Tell(told, {Told::Kind::kFailedToStart, started.error});
    _exit(127);
  }
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  CloseAllBut(told);
  int state = 0;
  for (pid_t ended = 0; (ended = waitpid(-1, &state, 0)) > 0 || errno == EINTR;) {
    if (ended == started.pid) Tell(told, {Told::Kind::kEnded, state});
  }
  _exit(0);
}

}  // namespace

Result<std::unique_ptr<PtyShell>> PtyShell::Start(const ShellLaunch& launch) {
  const std::vector<std::string> files = FindFiles(launch);
  if (files.empty()) {
    return Status(Code::kNotFound, fmt::format("no such command: {}", launch.words[0]));
  }
  std::optional<os::BoxEntrance> entrance;
  if (launch.box) {
    auto opened = os::BoxEntrance::Of(launch.box->process);
    if (!opened.ok()) return opened.status();
    entrance = std::move(opened.value());
  }
  const bool has_group = launch.box && !launch.box->group.empty();
  const os::UniqueFd members(
      has_group ? open((launch.box->group + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC) : -1);
  auto terminal = launch.box ? OpenTerminalIn(*launch.box, launch.size) : OpenTerminal(launch.size);
  if (!terminal.ok()) return terminal.status();
  int told[2];
  if (pipe2(told, O_CLOEXEC) != 0) return SystemError("cannot create a pipe");
  os::UniqueFd reader(told[0]), writer(told[1]);
  fcntl(reader.get(), F_SETFL, O_NONBLOCK);
  const int theirs = terminal.value().theirs.get();
  os::Program program;
  program.words = launch.words;
  program.files = files;
  program.environment = launch.environment;
  std::string mark;
  if (launch.box) {
    mark = "TENSORWARDEN_SHELL=" + os::RandomHex(32);
    program.environment->push_back(mark);
    program.last_steps = [user = launch.box->user] {
      if (os::GiveUpPrivileges(user) != 0) _exit(126);
    };
  }
  program.folder = launch.directory;
  program.input = theirs;
  program.output = theirs;
  program.errors = theirs;
  program.group = os::Program::Group::kOwnTerminal;
  program.last_signal = SIGKILL;
  const os::PreparedProgram prepared(std::move(program));
  const pid_t keeper = fork();
  if (keeper == 0) {
    KeepTheProgram(prepared, entrance ? &*entrance : nullptr, members.get(), theirs, writer.get());
  }
  if (keeper < 0) return SystemError("cannot create a process");
  return std::unique_ptr<PtyShell>(
      new PtyShell(std::move(terminal.value().ours), std::move(reader), keeper, std::move(mark)));
}

PtyShell::~PtyShell() {
  terminal_ = os::UniqueFd();  // Programs see that the terminal hung up.
  (void)os::StopProcessTree(keeper_, kGrace);
  waitpid(keeper_, nullptr, 0);
  if (mark_.empty()) return;
  os::KillProcessesIf(
      [&](const os::Process& process) { return os::HasVariable(process.pid, mark_); });
}

PtyShell::ReadState PtyShell::Read(std::string* output) {
  std::array<char, 16 << 10> buffer;
  const ssize_t n = read(terminal_.get(), buffer.data(), buffer.size());
  if (n > 0) output->append(buffer.data(), static_cast<size_t>(n));
  if (n > 0) return ReadState::kOutput;
  return n < 0 && (errno == EAGAIN || errno == EINTR) ? ReadState::kNothingYet : ReadState::kEnd;
}

size_t PtyShell::Write(std::string_view typed) {
  const ssize_t n = write(terminal_.get(), typed.data(), typed.size());
  return n > 0 ? static_cast<size_t>(n) : 0;
}

void PtyShell::Resize(const TerminalSize& size) { SetSize(terminal_.get(), size); }

bool PtyShell::HidesInput() const {
  termios settings{};
  if (tcgetattr(terminal_.get(), &settings) != 0) return false;
  return (settings.c_lflag & ICANON) != 0 && (settings.c_lflag & ECHO) == 0;
}

char PtyShell::EndOfInput() const {
  termios settings{};
  if (tcgetattr(terminal_.get(), &settings) != 0) return '\x04';
  return static_cast<char>(settings.c_cc[VEOF]);
}

bool PtyShell::HasEnded(int* exit_code) {
  Told told{};
  if (!ended_ && read(ending_.get(), &told, sizeof(told)) == sizeof(told)) {
    ended_ = true;
    if (told.kind == Told::Kind::kFailedToStart) {
      exit_code_ = told.number == ENOENT ? 127 : 126;
    } else {
      exit_code_ = WIFEXITED(told.number) ? WEXITSTATUS(told.number) : 128 + WTERMSIG(told.number);
    }
  }
  *exit_code = exit_code_;
  return ended_;
}

}  // namespace warden::jobs
