#ifndef WARDEN_JOBS_SUPERVISE_JOB_ACTIONS_H_
#define WARDEN_JOBS_SUPERVISE_JOB_ACTIONS_H_

// What is done about findings: mails, messages, webhooks, stopping the job (actions/). One
// JobActions for each job.
//
//   JobActions actions(layout.Job(job.name), maker);
//   actions.Resume();                              // After a restart.
//   actions.Found(job, rule, firings);             // As often as a rule finds something.
//   while (!actions.Finish(250ms) && !stop) {}     // Once all rules are over.

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "warden/actions/action_maker.h"
#include "warden/actions/finding_actions.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Returns what a rule's configuration asks to be done about findings: "action_json" among its
// parameters, and stop_training_on_fire of rules that have it. Empty for profiler rules, which have
// no actions. kInvalid if the configuration cannot be parsed.
Result<std::vector<actions::ActionConfig>> ActionsOf(const TrainingJob& job, const RuleJob& rule);

// Performs the actions for the findings of one job's rules, each once, also across restarts: a
// journal in the job's folder records them. Actions run on a thread of the dispatcher. For one
// thread.
class JobActions {
 public:
  // folder: the job's, for the journal; created when it is needed. maker is not owned and outlives
  // it. place: where commands of the job run, called from the dispatcher's thread; empty: beside
  // this process.
  JobActions(std::string folder, actions::ActionMaker* maker,
             std::function<Result<actions::ExecPlace>()> place = nullptr);

  // Why a mail or a text message of the rule would not be sent, as ActionMaker::WhyNotSent. Also
  // empty if the rule's actions cannot be parsed.
  std::string WhyNotSent(const TrainingJob& job, const RuleJob& rule) const;

  // Whether actions of the job in this folder may be left undone.
  static bool AreLeft(const std::string& folder);

  // Continues with what an earlier one left undone, if anything.
  void Resume();
  // One or more findings of a rule that it reported together; mails and messages combine those of
  // one step. Once this returns they are in the journal, and nothing is forgotten. If the rule's
  // actions cannot be parsed or the journal cannot be opened, that is logged and nothing is done.
  void Found(const TrainingJob& job, const RuleJob& rule,
             const std::vector<actions::Firing>& firings);
  // Nothing will be found any more. True once all actions are done or given up; waits for that at
  // most so long, and can be called again.
  bool Finish(std::chrono::milliseconds wait);

 private:
  bool Open();  // The journal, when it is first needed. False: it cannot be, see the log.

  const std::string folder_;
  actions::ActionMaker* const maker_;
  const std::function<Result<actions::ExecPlace>()> place_;
  actions::FindingActions acting_;  // Not open: nothing to do so far.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_JOB_ACTIONS_H_
