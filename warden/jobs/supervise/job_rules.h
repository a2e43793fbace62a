#ifndef WARDEN_JOBS_SUPERVISE_JOB_RULES_H_
#define WARDEN_JOBS_SUPERVISE_JOB_RULES_H_

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "warden/jobs/agent/agent.h"
#include "warden/jobs/events/findings_file.h"
#include "warden/jobs/record/job.h"
#include "warden/jobs/supervise/job_actions.h"
#include "warden/jobs/supervise/patient_store.h"
#include "warden/service/options.h"

namespace warden::jobs {

// How patient we are with rules' processes.
struct RulePatience {
  // Before one that was killed is started again: the first time, the second time ...
  std::vector<std::chrono::milliseconds> restarts = {
      std::chrono::seconds(1), std::chrono::seconds(5), std::chrono::seconds(15)};
  std::chrono::milliseconds silent_start{5000};  // Without a word from a process that was started.
  std::chrono::milliseconds stop{30'000};        // Between asking it to end and ending it.
  std::chrono::milliseconds after_job{600'000};  // To judge what is left once the job is over.
};

// The rules of one job: starts their processes, restarts those that crash, ends those that are to
// end, and tells the store what has become of each. For one thread.
class JobRules {
 public:
  // All that is given outlives it.
  JobRules(const service::ServiceOptions* options, PatientStore* store, JobActions* actions,
           RulePatience patience)
      : options_(options), store_(store), actions_(actions), patience_(std::move(patience)) {}

  // Brings every rule as far as it can be by now; job becomes what the store says then. False: the
  // job has gone, or it is time to leave.
  bool Tend(TrainingJob* job);

  static bool AreOver(const TrainingJob& job);

 private:
  using Clock = std::chrono::steady_clock;
  // What is known of a rule's process beside what its folder says.
  struct Process {
    explicit Process(const std::string& folder) : findings(folder) {}

    FindingsReader findings;
    std::optional<Clock::time_point> silent_since;  // It was started, but is not there.
    std::optional<Clock::time_point> lost_since;
    std::optional<Clock::time_point> asked_to_end;
  };
  struct Rule {
    size_t place;
    std::string folder;
    Process* process;
  };

  bool TendOne(TrainingJob* job, const Rule& rule);
  bool Launch(TrainingJob* job, const Rule& rule);
  bool LookAfter(TrainingJob* job, const Rule& rule);
  bool ComeToEnd(TrainingJob* job, const Rule& rule, const AgentState& agent);
  bool StartAgain(TrainingJob* job, const Rule& rule);
  bool Conclude(TrainingJob* job, const Rule& rule, const Json& said);
  Status StartProcess(const TrainingJob& job, const RuleJob& rule);
  void PassOnFindings(const TrainingJob& job, const Rule& rule);
  bool Set(TrainingJob* job, const Rule& rule, RuleStatus status, std::string details);
  // Changes the rule, unless it is over by now.
  bool Change(TrainingJob* job, const Rule& rule,
              const std::function<void(TrainingJob*, RuleJob*)>& change);

  const service::ServiceOptions* const options_;
  PatientStore* const store_;
  JobActions* const actions_;
  const RulePatience patience_;
  std::map<std::string, Process> processes_;  // By the rule job's name.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_JOB_RULES_H_
