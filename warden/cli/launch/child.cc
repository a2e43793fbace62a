#include "warden/cli/launch/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>

#include "warden/cli/launch/group_witness.h"
#include "warden/os/program.h"

namespace warden::cli {
namespace {

constexpr int kHandedOn[] = {SIGHUP,  SIGINT,   SIGQUIT, SIGTERM, SIGUSR1,
                             SIGUSR2, SIGWINCH, SIGTSTP, SIGCONT};

// While it exists, the signals that we pass on are blocked until fetched. The child must inherit
// the original state.
class HeldSignals {
 public:
  HeldSignals() {
    sigemptyset(&held_);
    for (const int signal : kHandedOn) sigaddset(&held_, signal);
    sigaddset(&held_, SIGCHLD);
    sigprocmask(SIG_BLOCK, &held_, &mask_before_);
    // Ignored, as some callers leave it, children would vanish before we can ask how they ended.
    struct sigaction action{};
    action.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &action, &child_action_before_);
  }
  ~HeldSignals() { Restore(); }

  void Restore() const {
    sigaction(SIGCHLD, &child_action_before_, nullptr);
    sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
  }
  int Next(siginfo_t* info) const { return sigwaitinfo(&held_, info); }

 private:
  sigset_t held_;
  sigset_t mask_before_;
  struct sigaction child_action_before_{};
};

Result<pid_t> Start(const ChildOptions& options, const HeldSignals& signals) {
  os::Program program;
  program.words = options.words;
  program.files = std::vector{options.program};
  program.takes_scripts = true;
  program.environment = options.environment;
  program.output = options.output;
  program.errors = options.errors;
  program.keeps_files = true;
  program.keeps_signals = true;
  program.last_steps = [&] { signals.Restore(); };
  const os::Started started = os::StartProgram(std::move(program));
  if (started.pid > 0) return started.pid;
  return Status(started.error == ENOENT ? Code::kNotFound : Code::kIo,
                fmt::format("cannot run {}: {}", options.program, std::strerror(started.error)));
}

bool HasTerminal() {
  const int terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (terminal >= 0) close(terminal);
  return terminal >= 0;
}

// If the terminal stopped the child, a shell waits for all of us to stop. Without a terminal
// nothing would wake us up again.
bool StoppedByTerminal(int state) {
  if (!WIFSTOPPED(state)) return false;
  const int signal = WSTOPSIG(state);
  return (signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) && HasTerminal();
}

std::optional<Ending> Look(pid_t pid) {
  int state = 0;
  while (waitpid(pid, &state, WNOHANG | WUNTRACED) == pid) {
    if (WIFEXITED(state)) return Ending{WEXITSTATUS(state), 0};
    if (WIFSIGNALED(state)) return Ending{128 + WTERMSIG(state), WTERMSIG(state)};
    if (StoppedByTerminal(state)) kill(getpid(), SIGSTOP);
  }
  return std::nullopt;
}

}  // namespace

Result<Ending> RunChild(const ChildOptions& options) {
  const HeldSignals signals;
  GroupWitness witness;
  const auto pid = Start(options, signals);
  if (!pid.ok()) return pid.status();
  options.started(pid.value());
  for (;;) {
    siginfo_t info{};
    const int signal = signals.Next(&info);
    if (signal == SIGCHLD) {
      if (const auto ending = Look(pid.value())) {
        // Sent to all of us, it may reach us later than the child: what is left to do is done.
        if (ending->signal == SIGTERM) std::signal(SIGTERM, SIG_IGN);
        return *ending;
      }
    } else if (signal > 0) {
      if (signal == SIGWINCH) options.resized();
      const bool whole_group = witness.Saw(signal) || info.si_code == SI_KERNEL;
      if (!whole_group || getpgid(pid.value()) != getpgrp()) kill(pid.value(), signal);
    }
  }
}

void DieBySignal(int signal) {
  // The child has already written a core file, if core files are enabled.
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  std::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal);
  _exit(128 + signal);
}

}  // namespace warden::cli
