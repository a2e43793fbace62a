#ifndef WARDEN_TRIAL_RUN_SCALARS_H_
#define WARDEN_TRIAL_RUN_SCALARS_H_

// What a list of runs shows of a run's numbers: each loss, metric and scalar in a few numbers, and
// the hyper-parameters that the hook saved.

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/storage/store.h"

namespace warden::trial {

// One scalar over the steps at which it was saved. Steps are global.
struct ScalarSummary {
  double last = 0;  // May be NaN or infinite.
  Step last_step = 0;
  // Of the finite values, and the first step that had it; none if no value is finite.
  std::optional<std::pair<double, Step>> min, max;
};

// Where a scalar was best, and what the others were then.
struct BestStep {
  std::string name;  // Of the scalar, as in RunScalars.
  bool lowest = true;
  // The first step at which it was lowest, or highest.
  Step step = 0;
  // Every scalar at that step; of those that were not saved then, the last one before. Scalars that
  // had not been saved by then are missing.
  std::vector<std::pair<std::string, double>> values;
};

struct RunScalars {
  // Losses first, then in the order in which they first appeared; at most 64. The name is that of
  // the tensor without "scalar/" in front and, of one that was saved in several modes, with
  // " (TRAIN)" or the like behind it.
  std::vector<std::pair<std::string, ScalarSummary>> scalars;
  // Two for each scalar with a finite value; only the first 32 scalars that appeared take part.
  std::vector<BestStep> best;
  // Of the collection hyperparameters, without that name in front: "eta" -> "0.3". Numbers have at
  // most 6 digits, lists their first 8 elements. At most 64.
  std::map<std::string, std::string> hyper_parameters;
  // What the script's own parser made of its command line, with defaults
  // (docs/formats/training.md): "batch_size" -> "32". At most 256.
  std::map<std::string, std::string> arguments;

  // All of it by name. options: what the command line seems to say (RunRecord::HyperParameters).
  // Where the same is known in several ways, arguments win over options, and these over what was
  // saved: "--batch-size 32" is not listed beside "batch_size".
  std::map<std::string, std::string> AllParameters(
      const std::map<std::string, std::string>& options) const;
};

// Reads all steps of the run's first worker, one after the other, so that a run of any length takes
// little memory. What is no metric is left out: parameters, gradients, outputs, and what the hook
// observes for rules. Files that cannot be used are left out. A loss of several elements counts as
// their mean. Errors are those of Store::List; kUnavailable if stop was requested meanwhile.
Result<RunScalars> ReadRunScalars(const storage::Store& store, const std::stop_token& stop);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_RUN_SCALARS_H_
