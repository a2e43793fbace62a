#ifndef WARDEN_CLI_LAUNCH_GROUP_WITNESS_H_
#define WARDEN_CLI_LAUNCH_GROUP_WITNESS_H_

// For `warden run`: a Ctrl-C in the terminal reaches the training without us, while a "kill" of our
// process does not. Passing on both would make the training see two signals, and a second Ctrl-C
// usually means "at once".

#include <sys/types.h>

namespace warden::cli {

// Finds out whether a signal was sent to us alone or to our whole process group, which the kernel
// does not say. It keeps a second process in the group that blocks every signal: a signal pending
// there too was sent to all. The process ends with us, however we end. Create it before other
// threads are started, since it forks. If it cannot fork, Saw() is always false, and signals are
// passed on.
class GroupWitness {
 public:
  GroupWitness() { Start(); }
  ~GroupWitness() { Stop(); }
  GroupWitness(const GroupWitness&) = delete;
  GroupWitness& operator=(const GroupWitness&) = delete;

  // Whether this signal, which we have just got, reached the witness; asked once for each. Waits 2
  // ms, since the kernel sends to one process of a group after the other. For signals that the
  // caller blocks and fetches, one after the other.
  bool Saw(int signal);

 private:
  // The process closes all descriptors, so that nobody who reads from the training waits for it.
  void Start();
  void Stop();

  pid_t pid_ = -1;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_GROUP_WITNESS_H_
