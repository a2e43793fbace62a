#ifndef WARDEN_JOBS_LAUNCH_JOB_VARIABLES_H_
#define WARDEN_JOBS_LAUNCH_JOB_VARIABLES_H_

// The environment variables of programs that jobs run.

#include <map>
#include <string>
#include <vector>

#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/launch/host_machine.h"
#include "warden/jobs/launch/hyper_parameters.h"
#include "warden/jobs/launch/script_mode.h"
#include "warden/jobs/record/job.h"
#include "warden/os/box.h"

namespace warden::jobs {

// By name.
using Variables = std::map<std::string, std::string>;

// The variables of the service's own environment that programs need to run at all (PATH, HOME,
// LANG, ...), and nothing that could be a secret. Reads the environment: not while another thread
// changes it.
Variables HarmlessVariables();

// Changes those that a program in a box must have otherwise. The home folder of the service's user
// is not the job's, but what pip has installed for that user stays.
void MoveIntoBox(const os::Box& box, Variables* variables);

// What SageMaker, its toolkit and our hooks read: TRAINING_JOB_NAME, SM_HOSTS,
// SMDEBUG_CONFIG_FILE_PATH, ... host: one of job.Hosts().
Variables VariablesOfJob(const TrainingJob& job, const std::string& host, const HostLayout& layout,
                         const HyperParameters& parameters, const Script& script,
                         const HostMachine& machine);

// "NAME=value", sorted by name. Those that no process can have ('=' in the name, zero bytes) are
// left out.
std::vector<std::string> AsEnvironment(const Variables& variables);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_JOB_VARIABLES_H_
