#ifndef WARDEN_JOBS_LAUNCH_HOST_AGENTS_H_
#define WARDEN_JOBS_LAUNCH_HOST_AGENTS_H_

// Where the agents of hosts run: what differs between launchers. All else, the files of a job below
// the data folder, is the same for all (job_launcher.cc).
//
//   auto launcher = MakeLauncher(options, MakeLocalAgents(options));

#include <memory>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/agent/agent.h"
#include "warden/jobs/launch/host_machine.h"
#include "warden/jobs/launch/host_spec.h"
#include "warden/jobs/launch/launcher.h"
#include "warden/jobs/launch/rule_agents.h"
#include "warden/jobs/record/job.h"
#include "warden/service/options.h"

namespace warden::jobs {

// Starts, finds and stops the agents of a job's hosts. Safe for many threads, but for one job one
// call at a time, except Stop.
class HostAgents {
 public:
  virtual ~HostAgents() = default;

  // As Launcher::Check: kInvalid if no machine takes the job.
  virtual Status Check(const TrainingJob&) { return Status(); }
  // The machine that each host of the job gets. kIo.
  virtual Result<HostMachine> MachineOf(const TrainingJob& job) = 0;
  // Changes a spec for where it runs.
  virtual void Adapt(const TrainingJob& job, HostSpec* spec) = 0;
  // Whether the host's folder is some agent's by now, or about to be.
  virtual bool WasStarted(const TrainingJob& job, const std::string& host) = 0;
  // As Launcher::Start. launches: one for each host, in the order of TrainingJob::Hosts().
  virtual Status Start(const TrainingJob& job, const std::vector<AgentLaunch>& launches) = 0;
  // As Launcher::Look.
  virtual std::vector<HostState> Look(const TrainingJob& job) = 0;
  // As Launcher::Stop. The stop files of the hosts have been written.
  virtual void Stop(const TrainingJob& job, std::chrono::seconds grace) = 0;
  // As Launcher::Queues.
  virtual bool Queues() const { return false; }
  // As Launcher::AgentsOfRules.
  virtual RuleAgents* AgentsOfRules() { return LocalRuleAgents(); }
  // As Launcher::Warning.
  virtual std::string Warning() const { return ""; }
};

// Agents on this machine.
std::unique_ptr<HostAgents> MakeLocalAgents(const service::ServiceOptions& options);

// The launcher of jobs whose hosts are started by agents; options are copied. kInvalid, naming file
// and entry, if the registry of environments cannot be parsed.
Result<std::unique_ptr<Launcher>> MakeLauncher(const service::ServiceOptions& options,
                                               std::unique_ptr<HostAgents> agents);

// What the supervisor sees of a host, by what its agent has reported. host: "algo-1".
HostState HostStateOf(const std::string& host, const AgentState& agent);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_HOST_AGENTS_H_
