#include "warden/rules/initial_weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "warden/stats/quantile.h"

namespace warden::rules {

std::optional<Spread> PercentileSpread(TensorView& tensor) {
  if (const trial::TensorValue* raw = tensor.Raw()) {
    const auto low = stats::Quantile(raw->ref(), 0.05);
    const auto high = stats::Quantile(raw->ref(), 0.95);
    if (!low.ok() || !high.ok()) return std::nullopt;
    return Spread{high.value() - low.value(), false};
  }
  const auto min = tensor.Saved({ReductionOp::kMin, false});
  const auto max = tensor.Saved({ReductionOp::kMax, false});
  if (!min || !max || !std::isfinite(*min) || !std::isfinite(*max)) return std::nullopt;
  return Spread{*max - *min, true};
}

bool HasUnits(const trial::TensorValue& weight) {
  if (weight.shape.size() < 2 || weight.shape[0] < 2 || weight.data.empty()) return false;
  return static_cast<int64_t>(weight.ref().count()) / weight.shape[0] >= 2;
}

bool UnitsAreEqual(const trial::TensorValue& weight) {
  const size_t row = weight.data.size() / static_cast<size_t>(weight.shape[0]);
  // Each row equals the next if the bytes equal those one row further.
  return std::memcmp(weight.data.data(), weight.data.data() + row, weight.data.size() - row) == 0;
}

const BestLoss& LossProgress::Add(const TensorView& tensor, double loss) {
  auto& worker = best_.try_emplace(std::string(tensor.worker())).first->second;
  BestLoss& best = worker.try_emplace(std::string(tensor.name())).first->second;
  if (loss < best.value) {
    best = {loss, 0};
  } else {
    ++best.steps_since;
  }
  return best;
}

const BestLoss* LossProgress::LeastStalled(std::string_view worker) const {
  const auto losses = best_.find(worker);
  if (losses == best_.end()) return nullptr;
  const auto least = std::min_element(
      losses->second.begin(), losses->second.end(),
      [](const auto& a, const auto& b) { return a.second.steps_since < b.second.steps_since; });
  return least == losses->second.end() ? nullptr : &least->second;
}

}  // namespace warden::rules
