#ifndef WARDEN_JOBS_SLURM_SPLIT_LAUNCHER_H_
#define WARDEN_JOBS_SLURM_SPLIT_LAUNCHER_H_

// One service with two places for jobs: its own machine, and the cluster.

#include <memory>
#include <string>

#include "warden/jobs/launch/launcher.h"
#include "warden/jobs/slurm/slurm_config.h"

namespace warden::jobs {

// A launcher that gives each job to one of the two, by the queue of its instance type. A job that
// was started stays where it is, though the configuration has changed since. data: the folder of
// the service.
std::unique_ptr<Launcher> MakeSplitLauncher(const std::string& data, SlurmConfig config,
                                            std::unique_ptr<Launcher> local,
                                            std::unique_ptr<Launcher> slurm);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SLURM_SPLIT_LAUNCHER_H_
