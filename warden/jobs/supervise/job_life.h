#ifndef WARDEN_JOBS_SUPERVISE_JOB_LIFE_H_
#define WARDEN_JOBS_SUPERVISE_JOB_LIFE_H_

// One job from its creation to the last action of its rules, as one function to be read from top to
// bottom (Run). Each step asks the store and the agents' folders what there is, and changes the
// store only if that still holds: a stop that came in between is never overwritten.

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

// What lives of jobs are made of. Nothing is owned; all of it outlives them. A plain value: each
// life has its own copy.
struct LifeParts {
  const service::ServiceOptions* options = nullptr;  // Never change.
  JobStore* store = nullptr;                         // Shared with the API.
  Launcher* launcher = nullptr;                      // Runs the hosts.
  actions::ActionMaker* maker = nullptr;             // For JobActions.
  RulePatience rule_patience;                        // Shortened by tests.
  // How long a host that was started may stay unseen before the job fails.
  std::chrono::milliseconds host_start{60'000};
};

// One job, from wherever it is to its end: prepare, train, collect, end; then its rules and
// actions. All that is known of it is in the store and in the folders of its agents, so a life that
// is cut short is taken up by the next one. Errors end the job (FailureReason), not the life.
// Statuses and messages are those of SageMaker's API, since clients wait for their very texts.
// Failures of the user's code are "AlgorithmError: ...", wrong settings "ClientError: ...", and
// ours "InternalServerError: ...".
class JobLife {
 public:
  // leave: a stop ends the life, not the job.
  JobLife(std::string name, LifeParts parts, const std::stop_token& leave);

  // Returns when the job and its rules are over and all actions are done, or on a stop of leave.
  // Call it once, on its own thread. trained: called once, as soon as its hosts need this machine
  // no more. A job that was deleted ends it, too.
  void Run(const std::function<void()>& trained);
  // The job was changed in the store: look at it now. From any thread. Returns at once. Without it
  // the life notices a change within 2 seconds.
  void Poke();

 private:
  using Clock = std::chrono::steady_clock;

  // False: the job was deleted, or it is time to leave. All steps end then.
  bool IsHere() const { return job_.has_value() && !leave_.stop_requested(); }
  // Is in this phase, and neither stopping nor over. The way through the phases is kStarting,
  // kDownloading, kTraining, kUploading, and then a final one.
  bool IsAt(SecondaryStatus status) const;
  bool IsToRun() const { return IsHere() && job_->status == JobStatus::kInProgress; }
  bool WasTraining() const;  // Its hosts were started, or about to be, or are in a queue.

  // All phases of the training itself. Each is skipped if an earlier life has done it.
  void Train();
  // Launcher::Prepare. An error of it fails the job as ClientError.
  void Download();
  // Until all hosts have ended. Starts the rules first, so that they see the first step, and looks
  // at hosts, rules, the profiler's configuration and the time limit in each round.
  void Follow();
  // True: none runs, nor ever will. One host that fails fails the job and stops the others. A host
  // that an earlier life has started may not be seen for five seconds, so "none" is believed only
  // after that.
  bool LookAtHosts();
  // In a queue the job is kStarting, and kTraining as soon as all of its hosts have left it.
  void FollowQueue(const HostsView& hosts);
  // Unless they were. Fails the job if they do not come within LifeParts::host_start.
  void StartHosts(const HostsView& hosts);
  // If the profiler's configuration was changed with UpdateTrainingJob. An error is logged, and it
  // is tried again in the next round.
  void Reconfigure();
  // MaxRuntimeInSeconds of the request, counted from TrainingStartTime, not in a queue. While the
  // service is down, agents of hosts stop their programs at that time.
  void StopWhenTimeIsOver();
  // When the hosts ended, if that was before this life, while the service was down; else now.
  Time TimeOfEnd() const;
  // Copies the outputs to where the request wants them; three tries, a second apart, then the job
  // fails. False: on a stop of leave. A job that never began to train has none.
  bool Collect();
  // Enters the final status: Failed if there is a reason, else Stopped or MaxRuntimeExceeded if it
  // was stopped, else Completed.
  void End();
  void FollowRules();  // Until all rules are over.

  // job_ becomes what the store has; nothing if the job was deleted.
  void Reload() { job_ = store_.Get(name_); }
  void Change(const std::function<bool(TrainingJob*)>& change) {
    job_ = store_.Change(name_, change);
  }
  // From one status to the next, unless something else came in between.
  void Step(SecondaryStatus from, SecondaryStatus to, const char* message, Time time);
  // Remembers why the job has failed, unless it is stopped already.
  void Fail(const std::string& reason);
  // Until there is something to do; reloads the job if it was changed, and every 2 s.
  void Wait();
  // In the job's folder, if it was changed since the last copy (db/job_copies.h).
  void KeepRecord();

  const std::string name_;
  const LifeParts parts_;
  const std::stop_token leave_;  // A stop ends this life, not the job.
  PatientStore store_;           // Used by this life's thread alone, as are the next two.
  JobActions actions_;
  JobRules rules_;
  std::optional<TrainingJob> job_;               // As last read; nothing once it was deleted.
  const Clock::time_point born_ = Clock::now();  // Young jobs are looked at more often.
  const Time began_ = Now();                     // As born_, by the clock of the machine.
  std::optional<Time> hosts_ended_;              // Once all have.
  Clock::time_point looked_ = born_;             // At the store.
  std::optional<Clock::time_point> starting_;    // Launcher::Start was called.
  bool stopping_ = false;                        // Launcher::Stop was called.
  std::optional<Time> kept_;                     // Of the last copy: TrainingJob::modified.
  std::optional<Json> applied_;  // The profiler's configuration that the hosts have.

  std::mutex mutex_;
  std::condition_variable_any wake_;  // poked_ was set.
  bool poked_ = false;                // Under mutex_.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_JOB_LIFE_H_
