#ifndef WARDEN_JOBS_LAUNCH_PROGRAM_PLAN_H_
#define WARDEN_JOBS_LAUNCH_PROGRAM_PLAN_H_

// From a job to the program of each host: which environment, which command line, which variables.
// Used by the launcher.

#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/launch/environments.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/launch/host_machine.h"
#include "warden/jobs/launch/host_spec.h"
#include "warden/jobs/launch/outputs.h"
#include "warden/jobs/record/job.h"
#include "warden/os/box.h"
#include "warden/service/options.h"

namespace warden::jobs {

// "pytorch-training:1.13": TrainingImage or AlgorithmName, whichever the request has; else empty.
// As the request has it, with its registry and tag; the service loads no images, it only looks for
// the environment that stands for one.
std::string ImageOf(const TrainingJob& job);

// The environment of a job: the registry's for its image, or else plain Python (options.python) for
// a job that brings its program along. kInvalid if there is neither, with the images that are
// known, or if the environment is only a Python and the job has no program. A program is the
// hyperparameter sagemaker_program, a ContainerEntrypoint or a built-in algorithm
// (builtin_algorithm.h), of which kInvalid also says why it cannot run.
Result<JobEnvironment> EnvironmentOf(const TrainingJob& job, const Environments& registry,
                                     const service::ServiceOptions& options);

// Whether the environment's program exists and can be executed, as far as that is known before the
// job is prepared. kInvalid names it. For CreateTrainingJob, so that a mistake is reported at once.
// A relative path comes with the job's own code and is not checked.
Status CheckProgram(const TrainingJob& job, const JobEnvironment& environment);

// The host to plan for. Nothing is owned; all of it outlives the call.
struct HostToPlan {
  const service::ServiceOptions& options;  // Of the service.
  const JobEnvironment& environment;       // As EnvironmentOf returned it.
  const TrainingJob& job;
  std::string host;                          // One of job.Hosts().
  const HostLayout& layout;                  // Of this host.
  const std::vector<OutputFolder>& outputs;  // As OutputFoldersOf returned them.
  HostMachine machine;                       // That it runs on.
  std::optional<os::Box> box;                // Isolation::BoxOf.
  std::string notice;                        // Isolation::Notice.
};
// Returns what the host's agent is to do. Variables of the platform override those of the job,
// which override the environment's. kInvalid as ScriptOf. Changes nothing on disk. PYTHONPATH gets
// the job's code, and before it the folder that brings capture along, so that scripts that know
// nothing of hooks are captured. In a container neither is set. If a rule of the job checks the
// training loop, TENSORWARDEN_OBSERVE is 1, unless the job has set it.
Result<HostSpec> PlanHost(const HostToPlan& host);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_PROGRAM_PLAN_H_
