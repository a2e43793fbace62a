#ifndef WARDEN_CLI_LAUNCH_STOP_WITH_OTHERS_H_
#define WARDEN_CLI_LAUNCH_STOP_WITH_OTHERS_H_

#include <sys/types.h>

#include <chrono>
#include <thread>

#include "warden/cli/launch/task_marks.h"

namespace warden::cli {

// Stops one process of a distributed training, with all it has started, when a rule stops the
// training in another place. The marks outlive it. For one thread.
class StopWithOthers {
 public:
  // grace: between asking the process to end and killing it.
  StopWithOthers(const TaskMarks& marks, std::chrono::milliseconds grace)
      : marks_(marks), grace_(grace) {}

  // The process has started. Forks nothing; signals are blocked in its thread as in the caller.
  void Start(pid_t pid);
  // The process has ended.
  void Finish();

 private:
  const TaskMarks& marks_;
  const std::chrono::milliseconds grace_;
  std::jthread thread_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_STOP_WITH_OTHERS_H_
