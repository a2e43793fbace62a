#include "warden/cli/launch/slurm_task.h"

#include <fmt/format.h>

#include "warden/base/strings.h"

namespace warden::cli {
namespace {

// Steps above are not of srun: Slurm's own numbers for scripts and shells.
constexpr int64_t kLastStep = 0xffff0000;

}  // namespace

std::string SlurmTask::Name() const { return step.empty() ? job : fmt::format("{}.{}", job, step); }

capture::SharedLaunch SlurmTask::Launch(bool alone) const {
  if (!alone) return {fmt::format("{} {}", Name(), restarts), rank, size};
  return {fmt::format("{} {} {}", Name(), rank, restarts), 0, 1};
}

std::optional<SlurmTask> FindSlurmTask(const std::function<const char*(const char*)>& variable) {
  const auto number = [&](const char* name, int64_t otherwise) {
    const char* text = variable(name);
    const auto value = text == nullptr ? std::nullopt : ParseInt(text);
    return value && *value >= 0 ? *value : otherwise;
  };
  const int64_t job = number("SLURM_JOB_ID", 0);
  if (job == 0) return std::nullopt;
  SlurmTask task;
  task.job = std::to_string(job);
  task.restarts = static_cast<int>(number("SLURM_RESTART_COUNT", 0));
  const int64_t step = number("SLURM_STEP_ID", kLastStep);
  // A script has numbers of the whole job.
  if (step >= kLastStep) return task;
  task.step = std::to_string(step);
  task.size = static_cast<int>(number("SLURM_STEP_NUM_TASKS", 1));
  task.rank = static_cast<int>(number("SLURM_PROCID", 0));
  task.node = static_cast<int>(number("SLURM_NODEID", 0));
  task.rank_on_node = static_cast<int>(number("SLURM_LOCALID", 0));
  if (task.rank >= task.size) {
    task.rank = 0;
    task.size = 1;
  }
  return task;
}

}  // namespace warden::cli
