#include "warden/cli/launch/interrupt.h"

#include <csignal>

namespace warden::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void Note(int /*signal*/) { interrupted = 1; }

}  // namespace

void CatchInterrupts() {
  struct sigaction action{};
  action.sa_handler = Note;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool Interrupted() { return interrupted != 0; }

}  // namespace warden::cli
