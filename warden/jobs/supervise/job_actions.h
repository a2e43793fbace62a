#ifndef WARDEN_JOBS_SUPERVISE_JOB_ACTIONS_H_
#define WARDEN_JOBS_SUPERVISE_JOB_ACTIONS_H_

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "warden/actions/action_maker.h"
#include "warden/actions/dispatcher.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// What the rule's configuration asks to be done when it fires: "action_json" among its parameters,
// and what rules of their own accord can be told to do. Actions are for debug rules. kInvalid.
Result<std::vector<actions::ActionConfig>> ActionsOf(const TrainingJob& job, const RuleJob& rule);

// What is done about the findings of one job's rules, each once, also over restarts. For one
// thread.
class JobActions {
 public:
  // folder: the job's, for the journal. maker outlives it.
  JobActions(std::string folder, actions::ActionMaker* maker);

  // Whether a job's actions were left undone.
  static bool AreLeft(const std::string& folder);

  // Goes on with what an earlier one left undone.
  void Resume();
  // One or more findings of a rule that it told together. Once this returns nothing is forgotten.
  void Found(const TrainingJob& job, const RuleJob& rule,
             const std::vector<actions::Firing>& firings);
  // Nothing will be found any more. True once all is done or given up; it waits a while.
  bool Finish(std::chrono::milliseconds wait);

 private:
  bool Open();

  const std::string folder_;
  actions::ActionMaker* const maker_;
  std::unique_ptr<actions::Dispatcher> dispatcher_;
  std::set<std::string> stopped_;  // By prefix: a job is stopped once, whatever else is found.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_JOB_ACTIONS_H_
