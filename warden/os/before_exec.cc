#include "warden/os/before_exec.h"

#include <signal.h>

namespace warden::os {

std::vector<char*> PointersTo(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

void ResetSignals() {
  for (int signal = 1; signal < NSIG; ++signal) {
    // The C library keeps two for itself, which it refuses to touch.
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace warden::os
