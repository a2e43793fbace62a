#ifndef WARDEN_JOBS_LAUNCH_JOB_VARIABLES_H_
#define WARDEN_JOBS_LAUNCH_JOB_VARIABLES_H_

#include <map>
#include <string>
#include <vector>

#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/launch/hyper_parameters.h"
#include "warden/jobs/launch/script_mode.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

using Variables = std::map<std::string, std::string>;

// Of the service's own environment what programs need to run at all, and nothing that could be a
// secret.
Variables HarmlessVariables();

// What SageMaker, its toolkit and our own hooks are told by: TRAINING_JOB_NAME, SM_HOSTS,
// SMDEBUG_CONFIG_FILE_PATH, ... master_port: where the hosts of a job find each other.
Variables VariablesOfJob(const TrainingJob& job, const std::string& host, const HostLayout& layout,
                         const HyperParameters& parameters, const Script& script, int master_port);

// "NAME=value".
std::vector<std::string> AsEnvironment(const Variables& variables);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_JOB_VARIABLES_H_
