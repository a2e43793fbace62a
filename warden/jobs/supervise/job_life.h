#ifndef WARDEN_JOBS_SUPERVISE_JOB_LIFE_H_
#define WARDEN_JOBS_SUPERVISE_JOB_LIFE_H_

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "warden/actions/action_maker.h"
#include "warden/jobs/launch/launcher.h"
#include "warden/jobs/supervise/hosts.h"
#include "warden/jobs/supervise/job_actions.h"
#include "warden/jobs/supervise/job_rules.h"
#include "warden/jobs/supervise/patient_store.h"
#include "warden/service/options.h"

namespace warden::jobs {

// What lives of jobs are made of; all of it outlives them.
struct LifeParts {
  const service::ServiceOptions* options = nullptr;
  JobStore* store = nullptr;
  Launcher* launcher = nullptr;
  actions::ActionMaker* maker = nullptr;
  RulePatience rule_patience;
  // Before a host that was told to start, and is not there, is given up.
  std::chrono::milliseconds host_start{60'000};
};

// One job, from wherever it is to its end. What is known of it is in the store and in the folders
// of its agents: a life that is cut short is taken up by the next one.
class JobLife {
 public:
  JobLife(std::string name, LifeParts parts, const std::stop_token& leave);

  // Returns when the job and its rules are over and all actions are taken, or on a stop of leave.
  // trained: called once, when its hosts need nothing of this machine any more.
  void Run(const std::function<void()>& trained);
  // Something about the job was changed in the store. From any thread.
  void Poke();

 private:
  using Clock = std::chrono::steady_clock;

  bool IsHere() const { return job_.has_value() && !leave_.stop_requested(); }
  bool IsAt(SecondaryStatus status) const;
  bool IsToRun() const { return IsHere() && job_->status == JobStatus::kInProgress; }
  bool WasTraining() const;

  void Train();
  void Download();
  void Follow();
  bool LookAtHosts();
  void StartHosts(const HostsView& hosts);
  void Reconfigure();
  void StopWhenTimeIsOver();
  bool Collect();
  void End();
  void FollowRules();

  void Reload() { job_ = store_.Get(name_); }
  void Change(const std::function<bool(TrainingJob*)>& change) {
    job_ = store_.Change(name_, change);
  }
  // From one status to the next, unless something came in between.
  void Step(SecondaryStatus from, SecondaryStatus to, const char* message);
  // Remembers why the job has failed, unless it is stopped already.
  void Fail(const std::string& reason);
  // Until there is something to do; reloads the job if it was changed, and now and then.
  void Wait();

  const std::string name_;
  const LifeParts parts_;
  const std::stop_token leave_;
  PatientStore store_;
  JobActions actions_;
  JobRules rules_;
  std::optional<TrainingJob> job_;  // As we know it; nothing once it has gone.
  const Clock::time_point born_ = Clock::now();
  Clock::time_point looked_ = born_;           // At the store.
  std::optional<Clock::time_point> starting_;  // Hosts were told to start.
  bool stopping_ = false;                      // They were told to stop.
  std::optional<Json> applied_;                // The profiler's configuration that the hosts have.

  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool poked_ = false;  // Under mutex_.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_JOB_LIFE_H_
