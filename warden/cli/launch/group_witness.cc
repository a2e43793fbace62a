#include "warden/cli/launch/group_witness.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string>

namespace warden::cli {
namespace {

// The kernel sends to one process of a group after the other; that takes microseconds.
constexpr useconds_t kSendingTime = 2000;

// Signals that wait for the whole process; bit n - 1 is signal n.
uint64_t WaitingSignals(pid_t pid) {
  std::ifstream status(fmt::format("/proc/{}/status", pid));
  std::string word;
  while (status >> word) {
    if (word != "ShdPnd:") continue;
    uint64_t bits = 0;
    status >> std::hex >> bits;
    return bits;
  }
  return 0;
}

}  // namespace

bool GroupWitness::Saw(int signal) {
  if (pid_ < 0) return false;
  usleep(kSendingTime);
  const bool saw = ((WaitingSignals(pid_) >> (signal - 1)) & 1) != 0;
  if (saw) {
    // A new one, for which nothing waits.
    Stop();
    Start();
  }
  return saw;
}

void GroupWitness::Start() {
  const pid_t parent = getpid();
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Whoever reads what the child writes would wait for us too.
    close_range(0, ~0U, 0);
    while (getppid() == parent) pause();
    _exit(0);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

void GroupWitness::Stop() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

}  // namespace warden::cli
