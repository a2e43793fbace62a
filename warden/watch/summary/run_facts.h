#ifndef WARDEN_WATCH_SUMMARY_RUN_FACTS_H_
#define WARDEN_WATCH_SUMMARY_RUN_FACTS_H_

#include <memory>
#include <optional>
#include <string_view>

#include "warden/timeline/feed/profile_feed.h"
#include "warden/trial/trial.h"

namespace warden::watch {

// What is known of a run that was evaluated.
struct RunFacts {
  size_t steps = 0;
  size_t tensors = 0;
  int workers = 0;  // Processes that saved tensors; 0: not known.
  int gpus = 0;     // Of one machine.
  bool xgboost = false;
  bool loop_observed = true;    // What the training loop does was saved, too.
  bool half_precision = false;  // How values spread over the range of a narrow type was saved.
  size_t steps_with_statistics = 0;
  std::optional<double> capture_share = {};  // Of the training time, if capture had a budget.
};

// trial: null if nothing was saved. gpus: as the profile shows them; nothing if there is none, in
// which case those of this machine count.
RunFacts FactsOf(const trial::Trial* trial, std::optional<int> gpus);

// Whether a rule can have anything to check in such a run. Others are not worth mentioning: a rule
// for GPUs on a machine without one, a rule for trees in a PyTorch training.
bool CanApply(std::string_view rule, const RunFacts& facts);

// The feed itself, which notes the number of GPUs that it has seen in *gpus. That outlives it.
std::unique_ptr<timeline::ProfileFeed> CountGpus(std::unique_ptr<timeline::ProfileFeed> feed,
                                                 std::optional<int>* gpus);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_SUMMARY_RUN_FACTS_H_
