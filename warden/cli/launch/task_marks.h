#ifndef WARDEN_CLI_LAUNCH_TASK_MARKS_H_
#define WARDEN_CLI_LAUNCH_TASK_MARKS_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/capture/launch_folder.h"
#include "warden/storage/store.h"

namespace warden::cli {

// What the processes of a distributed training, each under a `warden run` of its own, tell each
// other through the folder of their run, in warden/tasks/. Marks of earlier attempts do not count.
// Safe for many threads.
class TaskMarks {
 public:
  // Errors of storage::OpenStore.
  static Result<TaskMarks> Open(const std::string& run, capture::SharedLaunch launch);

  // This process saves nothing any more. A failure is logged: others then wait in vain, for a
  // while.
  void End() const;
  // Waits until all other processes have ended, at most that long.
  void WaitForOthers(std::chrono::milliseconds most) const;

  // A rule stops the training: all processes are to end.
  Status Stop() const;
  bool Stopped() const;
  // Between two looks for Stopped, such that all processes together look 100 times a second at
  // most.
  std::chrono::milliseconds Pause() const;

 private:
  TaskMarks(std::shared_ptr<storage::Store> store, capture::SharedLaunch launch)
      : store_(std::move(store)), launch_(std::move(launch)) {}
  Status Set(const std::string& key) const;
  bool IsSet(const std::string& key) const;

  std::shared_ptr<storage::Store> store_;
  capture::SharedLaunch launch_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_TASK_MARKS_H_
