#ifndef WARDEN_JOBS_SLURM_SLURM_H_
#define WARDEN_JOBS_SLURM_SLURM_H_

// The entrance of this part: training jobs on a Slurm cluster.
//
//   auto launcher = MakeSlurmLauncher(options);

#include <memory>

#include "warden/base/status.h"
#include "warden/jobs/launch/launcher.h"
#include "warden/service/options.h"

namespace warden::jobs {

// A launcher whose hosts are tasks of Slurm jobs, submitted by the service's user. The data folder,
// `warden` and Python are at the same paths on all nodes. Options are copied. kInvalid, saying what
// is wrong, if Slurm does not answer, or slurm.json or the registry of environments cannot be used.
Result<std::unique_ptr<Launcher>> MakeSlurmLauncher(const service::ServiceOptions& options);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SLURM_SLURM_H_
