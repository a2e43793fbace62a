#ifndef WARDEN_JOBS_LAUNCH_PROGRAM_PLAN_H_
#define WARDEN_JOBS_LAUNCH_PROGRAM_PLAN_H_

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/launch/environments.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/launch/host_spec.h"
#include "warden/jobs/launch/outputs.h"
#include "warden/jobs/record/job.h"
#include "warden/service/options.h"

namespace warden::jobs {

// "pytorch-training:1.13": TrainingImage or AlgorithmName, whichever the request has.
std::string ImageOf(const TrainingJob& job);

// The environment of a job: the registry's, or else plain Python for a job that brings its program
// along. kInvalid says which images are known.
Result<JobEnvironment> EnvironmentOf(const TrainingJob& job, const Environments& registry,
                                     const service::ServiceOptions& options);

// Whether the environment's program is there. kInvalid names it.
Status CheckProgram(const TrainingJob& job, const JobEnvironment& environment);

// How a host's program is run.
struct HostToPlan {
  const service::ServiceOptions& options;
  const JobEnvironment& environment;
  const TrainingJob& job;
  std::string host;
  const HostLayout& layout;
  const std::vector<OutputFolder>& outputs;
  int master_port = 0;
};
Result<HostSpec> PlanHost(const HostToPlan& host);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_PROGRAM_PLAN_H_
