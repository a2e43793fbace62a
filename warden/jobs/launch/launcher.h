#ifndef WARDEN_JOBS_LAUNCH_LAUNCHER_H_
#define WARDEN_JOBS_LAUNCH_LAUNCHER_H_

// Runs training jobs on this machine: one agent process for each host of a job, in an environment
// that looks like a SageMaker training container. The supervisor drives it, in this order; every
// step can be repeated after a crash of the service:
//
//   auto launcher = MakeLocalLauncher(options);
//   launcher.value()->Check(job);                     // When the request arrives.
//   launcher.value()->Prepare(job);                   // Code, data, folders.
//   launcher.value()->Start(job);
//   while (!AllEnded(launcher.value()->Look(job))) {  // Poll.
//   }
//   launcher.value()->Collect(job);

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/launch/rule_agents.h"
#include "warden/jobs/launch/rule_box.h"
#include "warden/jobs/record/job.h"
#include "warden/service/options.h"

namespace warden::jobs {

// What has become of one host of a job.
struct HostState {
  enum class Phase : uint8_t {
    kNotStarted,
    kQueued,  // It was handed to a queue, and its agent has not reported yet.
    kRunning,
    kEnded,
    kLost,  // Its agent was killed, or its machine has failed.
  };

  std::string host;  // "algo-1".
  Phase phase = Phase::kNotStarted;
  int exit_code = 0;  // Of the program, in kEnded; 0 and no signal: it succeeded.
  int signal = 0;     // Not 0: the program was killed by it.
  // From output/failure, or the last lines of its log; 1,024 bytes at most. In kLost: why, as the
  // API words it ("InternalServerError: ..."); empty: its agent was killed.
  std::string failure;
  std::optional<Time> started, ended;  // As far as the agent could report them.
  bool timed_out = false;              // It was stopped at the end of the job's time.
  bool asked = false;   // It was asked to end: by Stop, by its time, or by a signal to its agent.
  std::string waiting;  // In kQueued: for what, for people.
};

// Jobs that share a machine, and so take turns.
struct JobPool {
  std::string name;           // Tells pools apart.
  size_t at_once = SIZE_MAX;  // Of its jobs, at most, besides the limit of the service.
};

// Where commands run that a job brings along besides its program: actions of its rules.
struct CommandPlace {
  // The words of a program that takes the command as one more word, a JSON list of words, and runs
  // it isolated as the job is. Empty: it is run directly.
  std::vector<std::string> prefix;
  std::vector<std::string> environment;  // "NAME=value": nothing of the service.
};

// Runs training jobs. Safe for many threads, but for one job one call at a time. Calls block on
// disks; errors of the system are kIo.
class Launcher {
 public:
  virtual ~Launcher() = default;

  // Whether the job could run here at all: an environment for its image, a program in it, channels
  // and outputs that are supported. kInvalid says what is missing, before anything of the job is
  // kept. Changes nothing.
  virtual Status Check(const TrainingJob& job) = 0;
  // Fetches code and data, and makes the folders and files that the program finds. May take long.
  // What an earlier try left is replaced; hosts that were started are not touched. kInvalid,
  // kNotFound or kCorrupt for what the job names; kExists if an earlier job of that name left its
  // outputs at the same place.
  virtual Status Prepare(const TrainingJob& job) = 0;
  // Starts every host. A host that was started already, by whichever service, is not started again.
  // Returns when the agents exist; see Look for what becomes of them.
  virtual Status Start(const TrainingJob& job) = 0;
  // The state of each host, in the order of TrainingJob::Hosts(). Does not wait for the hosts.
  // Kills what is left of a host whose agent was killed.
  virtual std::vector<HostState> Look(const TrainingJob& job) = 0;
  // Asks all hosts to end; those that have not after grace are killed with all that they started.
  // Returns at once; may be called again, also with less grace, and during any other call.
  virtual void Stop(const TrainingJob& job, std::chrono::seconds grace) = 0;
  // The job's ProfilerConfig was changed: updates the file that the running program and the monitor
  // follow.
  virtual Status Reconfigure(const TrainingJob& job) = 0;
  // All hosts have ended: packs the model and other outputs, and marks the ends of its tensors and
  // profiles, so that readers know that nothing more will come. The ends are marked even if packing
  // fails. Can be repeated.
  virtual Status Collect(const TrainingJob& job) = 0;
  // Whether hosts of the job wait in a queue after Start, possibly for long
  // (HostState::Phase::kQueued).
  virtual bool Queues(const TrainingJob&) const { return false; }
  // The jobs with which this one takes turns.
  virtual JobPool PoolOf(const TrainingJob&) { return JobPool(); }
  // Where the rules of the job run; owned by the launcher.
  virtual RuleAgents* AgentsOfRules(const TrainingJob&) { return LocalRuleAgents(); }
  // What the operator of the service should know at its start; empty: nothing.
  virtual std::string Warning() const { return ""; }
  // Where to run commands of a job. kIo.
  virtual Result<CommandPlace> PlaceOfCommands(const TrainingJob&) { return CommandPlace(); }
  // The box for the code of a custom rule of a job; nothing if jobs are not isolated. kInvalid if
  // the rule cannot be isolated, kIo.
  virtual Result<std::optional<RuleBox>> BoxOfRule(const TrainingJob&, const RuleToIsolate&) {
    return std::optional<RuleBox>();
  }
  // Removes the folders of a job that was deleted, but not its outputs. kInvalid if the name is not
  // a folder name.
  virtual Status Remove(const TrainingJob& job) = 0;
};

// Returns the launcher for this machine; options are copied. kInvalid, naming file and entry, if
// the registry of environments cannot be parsed.
Result<std::unique_ptr<Launcher>> MakeLocalLauncher(const service::ServiceOptions& options);

// What `warden agent host FOLDER` does: runs one host's program to the end of everything that it
// started, and reports how it ended. Returns the exit code of the agent. Changes signals and child
// processes of this process: call it from main only.
int RunHostAgent(const std::string& folder);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_LAUNCHER_H_
