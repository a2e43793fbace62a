#ifndef WARDEN_BASE_BLOCKED_SIGNALS_H_
#define WARDEN_BASE_BLOCKED_SIGNALS_H_

#include <pthread.h>
#include <signal.h>

namespace warden {

// While it lives, this thread gets no signals, and neither do threads that it starts, ever: they go
// to those who wait for them. That includes SIGPIPE of a connection that is closed on us.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace warden

#endif  // WARDEN_BASE_BLOCKED_SIGNALS_H_
