#ifndef WARDEN_JOBS_SLURM_SLURM_COMMAND_H_
#define WARDEN_JOBS_SLURM_SLURM_COMMAND_H_

// Runs commands of Slurm: sbatch, squeue, scancel, sinfo.

#include <string>
#include <vector>

#include "warden/base/status.h"

namespace warden::jobs {

// Returns the standard output of the command. It gets no secret of the service's environment, and
// no variable that would change what Slurm's commands do (SBATCH_..., SQUEUE_...). Killed after a
// minute, and if this process dies. kUnavailable, with the command's first message, if it cannot be
// run or exits with another code than 0. Blocks; for any thread, and at most four at once.
Result<std::string> RunSlurm(const std::vector<std::string>& words);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SLURM_SLURM_COMMAND_H_
