#ifndef WARDEN_RULES_INITIAL_WEIGHTS_H_
#define WARDEN_RULES_INITIAL_WEIGHTS_H_

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "warden/rules/tensor_view.h"
#include "warden/trial/tensor_value.h"

// What tells whether initial weights fit a model.
namespace warden::rules {

struct Spread {
  double value = 0;
  bool at_most = false;  // Only extremes were saved, which bound it.
};
// The distance between the 5th and the 95th percentile of the finite values.
std::optional<Spread> PercentileSpread(TensorView& tensor);

// Whether a weight has at least two units (rows) of at least two weights each ...
bool HasUnits(const trial::TensorValue& weight);
// ... that are all equal. REQUIRES: HasUnits(weight).
bool UnitsAreEqual(const trial::TensorValue& weight);

// The best value of a loss, and for how many saved steps it has not been beaten.
struct BestLoss {
  double value = std::numeric_limits<double>::infinity();
  int64_t steps_since = 0;
};

class LossProgress {
 public:
  const BestLoss& Add(const TensorView& tensor, Mode mode, double loss);
  // The least stalled loss of the worker in the mode; null if it has none.
  const BestLoss* LeastStalled(std::string_view worker, Mode mode) const;

 private:
  // By worker and mode, then tensor.
  std::map<std::pair<std::string, Mode>, std::map<std::string, BestLoss, std::less<>>> best_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_INITIAL_WEIGHTS_H_
