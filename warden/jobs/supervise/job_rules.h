#ifndef WARDEN_JOBS_SUPERVISE_JOB_RULES_H_
#define WARDEN_JOBS_SUPERVISE_JOB_RULES_H_

// The processes of a job's rules. JobLife calls Tend in its loop, as long as the job or a rule is
// not over.

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "warden/base/types.h"
#include "warden/jobs/agent/agent.h"
#include "warden/jobs/events/findings_file.h"
#include "warden/jobs/launch/launcher.h"
#include "warden/jobs/record/job.h"
#include "warden/jobs/supervise/job_actions.h"
#include "warden/jobs/supervise/job_incidents.h"
#include "warden/jobs/supervise/patient_store.h"
#include "warden/service/options.h"

namespace warden::jobs {

// How long we wait for rules' processes. The defaults are those of the service; tests shorten them.
struct RulePatience {
  // Before one that was killed is started again: the first time, the second time, ... After the
  // last one the rule ends with an error.
  std::vector<std::chrono::milliseconds> restarts = {
      std::chrono::seconds(1), std::chrono::seconds(5), std::chrono::seconds(15)};
  std::chrono::milliseconds silent_start{5000};  // Without a sign of a process that was started.
  std::chrono::milliseconds stop{30'000};        // Between SIGTERM and SIGKILL.
  std::chrono::milliseconds after_job{600'000};  // To check what is left once the job is over.
  // For other rules to check the steps of a finding too, before people are told of an incident: the
  // first message then names its cause, and not the rule that was fastest.
  std::chrono::milliseconds together{5000};
};

// The rules of one job: starts their processes, restarts those that crash, ends those that are to
// end, passes findings to the actions, and records in the store what has become of each, and which
// incidents their findings are. For one thread. Nothing here waits: what must be waited for is
// remembered with its time, and looked at in the next Tend. Statuses are kept in the store,
// processes in the folders of their agents, so that a new service continues where the last one was
// killed.
class JobRules {
 public:
  // Nothing is owned; all pointers outlive it.
  JobRules(const service::ServiceOptions* options, PatientStore* store, Launcher* launcher,
           JobActions* actions, RulePatience patience)
      : options_(options),
        store_(store),
        launcher_(launcher),
        actions_(actions),
        patience_(std::move(patience)) {}

  // Does for every rule what can be done now, and returns at once; call it again and again. *job
  // becomes what the store has afterwards. False: the job was deleted, or it is time to leave.
  // Takes some file operations for each rule that is not over. Rules that were added to the job
  // meanwhile are started as well.
  bool Tend(TrainingJob* job);

  // Whether all rules have a final status; true if there are none.
  static bool AreOver(const TrainingJob& job);

 private:
  using Clock = std::chrono::steady_clock;
  // What is known of a rule's process besides its folder. Lost when the service restarts, which
  // only restarts some waits.
  struct Process {
    explicit Process(const std::string& folder) : findings(folder) {}

    FindingsReader findings;                        // What it found since the last look.
    Step step = -1;                                 // The last one that it has checked.
    std::optional<Clock::time_point> silent_since;  // It was started, but is not seen.
    std::optional<Clock::time_point> lost_since;    // It was killed.
    std::optional<Clock::time_point> asked_to_end;  // It got SIGTERM.
    Time queued{};                                  // When it was last seen to wait for a machine.
  };
  struct Rule {
    size_t place;        // In TrainingJob::rules.
    std::string folder;  // Of its agent.
    Process* process;    // In processes_.
  };

  // All of these return false if the job was deleted or it is time to leave, as Tend.
  bool TendOne(TrainingJob* job, const Rule& rule);
  // Starts its process. kInvalid ends the rule; other errors are tried again while the job lasts.
  bool Launch(TrainingJob* job, const Rule& rule);
  // Its process was started: passes on findings, and sees what has become of it. Findings are
  // passed on before the result is, so that actions happen although the rule is over.
  bool LookAfter(TrainingJob* job, const Rule& rule);
  // It is to stop: SIGTERM, then SIGKILL.
  bool ComeToEnd(TrainingJob* job, const Rule& rule, const AgentState& agent);
  // Whether it may begin: on this machine before the first step, elsewhere when its training has
  // left the queue, since the rule takes a machine, too.
  bool MayBegin(const TrainingJob& job);
  // It was killed: starts it again after a pause, or gives up. A process that is killed again and
  // again most likely needs more memory than a rule may have; the message says so.
  bool StartAgain(TrainingJob* job, const Rule& rule, const RuleAgentState& state);
  // It has reported its result.
  bool Conclude(TrainingJob* job, const Rule& rule, const Json& said);
  Status StartProcess(const TrainingJob& job, const RuleJob& rule);
  // To the actions and the incidents, under the rule's own name, whatever its process says.
  void PassOnFindings(const TrainingJob& job, const Rule& rule);
  // For incidents, a rule that has found something of which there is no record.
  void AddUnrecorded(const TrainingJob& job, const Rule& rule, const std::string& details);
  // Records incidents as soon as all rules have looked, or have had the time to.
  bool KeepIncidents(TrainingJob* job);
  bool HaveAllLooked(const TrainingJob& job, const JobIncidents::News& news) const;
  // details: for the API's StatusDetails.
  bool Set(TrainingJob* job, const Rule& rule, RuleStatus status, std::string details);
  // Changes the rule, unless it is over by now. With the last one's end the incidents are recorded
  // too: nobody looks at the rules of a job any more once all are over.
  bool Change(TrainingJob* job, const Rule& rule,
              const std::function<void(TrainingJob*, RuleJob*)>& change);

  const service::ServiceOptions* const options_;
  PatientStore* const store_;                 // Of the job's life.
  Launcher* const launcher_;                  // Where rules run, and in which boxes.
  JobActions* const actions_;                 // Of the job's life.
  const RulePatience patience_;               // Never changes.
  std::map<std::string, Process> processes_;  // By the rule job's name.
  JobIncidents incidents_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_JOB_RULES_H_
