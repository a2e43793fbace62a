#ifndef WARDEN_CLI_LAUNCH_GROUP_WITNESS_H_
#define WARDEN_CLI_LAUNCH_GROUP_WITNESS_H_

#include <sys/types.h>

namespace warden::cli {

// Finds out whether a signal was sent to us alone or to our whole process group, which the kernel
// does not say. It keeps a second process in the group that blocks every signal: a signal pending
// there too was sent to all. The process ends with us, however we end.
class GroupWitness {
 public:
  GroupWitness() { Start(); }
  ~GroupWitness() { Stop(); }
  GroupWitness(const GroupWitness&) = delete;
  GroupWitness& operator=(const GroupWitness&) = delete;

  // Whether this signal, which we have just got, reached the witness; asked once for each.
  bool Saw(int signal);

 private:
  void Start();
  void Stop();

  pid_t pid_ = -1;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_GROUP_WITNESS_H_
