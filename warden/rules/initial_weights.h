#ifndef WARDEN_RULES_INITIAL_WEIGHTS_H_
#define WARDEN_RULES_INITIAL_WEIGHTS_H_

// What shows whether initial weights fit a model: the spread of gradients, equal units, and losses
// that do not improve. Used by PoorWeightInitialization alone.

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "warden/rules/tensor_view.h"
#include "warden/trial/tensor_value.h"

namespace warden::rules {

// How wide the values of a tensor are spread.
struct Spread {
  double value = 0;      // >= 0, in the tensor's own unit.
  bool at_most = false;  // Only extremes were saved, which bound it.
};
// The distance between the 5th and the 95th percentile of the finite values; where only min and max
// were saved, the distance between those. Nothing if neither is known.
std::optional<Spread> PercentileSpread(TensorView& tensor);

// Whether a weight has at least two units (rows along axis 0) of at least two weights each ...
bool HasUnits(const trial::TensorValue& weight);
// ... that are all equal. False for types that are not real numbers, unless their bytes are equal.
// REQUIRES: HasUnits(weight). Compares bytes first, and numbers only where bytes differ: 0 and -0
// are equal numbers.
bool UnitsAreEqual(const trial::TensorValue& weight);

// The best value of a loss, and for how many saved steps it has not been beaten. Saved steps are
// counted, not trained ones.
struct BestLoss {
  double value = std::numeric_limits<double>::infinity();
  int64_t steps_since = 0;
};

// The best losses of each worker and mode. Belongs to one rule; memory grows with the number of
// losses. For one thread. A loss of NaN beats nothing and counts as a step without progress.
class LossProgress {
 public:
  // Adds the loss of one step and returns the best so far; valid as long as this object.
  const BestLoss& Add(const TensorView& tensor, Mode mode, double loss);
  // The least stalled loss of the worker in the mode; null if it has none.
  const BestLoss* LeastStalled(std::string_view worker, Mode mode) const;

 private:
  // By worker and mode, then tensor.
  std::map<std::pair<std::string, Mode>, std::map<std::string, BestLoss, std::less<>>> best_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_INITIAL_WEIGHTS_H_
