#ifndef WARDEN_CLI_LAUNCH_SLURM_TASK_H_
#define WARDEN_CLI_LAUNCH_SLURM_TASK_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "warden/capture/launch_folder.h"

namespace warden::cli {

// One process of a job of Slurm: a task of a step that `srun` started, or the job's script.
struct SlurmTask {
  std::string job;
  std::string step;      // Empty: the job's script.
  int restarts = 0;      // How often the job was requeued.
  int rank = 0;          // Among the tasks of the step.
  int size = 1;          // The number of these tasks.
  int node = 0;          // Among the nodes of the step.
  int rank_on_node = 0;  // Among the tasks of the step on this node.

  // "123.0", or "123" for the script.
  std::string Name() const;
  // For the run's folder. alone: each task is a separate training.
  capture::SharedLaunch Launch(bool alone) const;
};

// The task that this process is or belongs to; nothing outside of Slurm. variable: as getenv.
std::optional<SlurmTask> FindSlurmTask(const std::function<const char*(const char*)>& variable);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_SLURM_TASK_H_
