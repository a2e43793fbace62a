#ifndef WARDEN_OS_BLOCKED_SIGNALS_H_
#define WARDEN_OS_BLOCKED_SIGNALS_H_

// Keeps signals away from the threads that work for us, so that a handler runs only in the thread
// that is ready for it. Every part that starts a thread or a process does so inside the scope of
// one of these:
//
//   {
//     const os::BlockedSignals blocked;
//     thread_ = std::jthread([this] { Work(); });
//   }  // From here on this thread gets signals again; the new one never does.
//
// Nothing here fails. One object belongs to one thread: it is created and destroyed there. Objects
// may be nested; they are then destroyed in the reverse order.

#include <pthread.h>
#include <signal.h>

namespace warden::os {

// While it lives, this thread gets no signals, and neither do threads that it starts, ever: they go
// to those who wait for them. That includes SIGPIPE of a connection that is closed on us, but not
// what a thread brings on itself: a fault whose signal is blocked ends the process, handler or not.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    for (const int fault : {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  // Which signals were blocked before. A program that is started inside the scope gets these back,
  // not what is blocked now.
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
};

}  // namespace warden::os

#endif  // WARDEN_OS_BLOCKED_SIGNALS_H_
