#include "warden/rules/initial_weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "warden/stats/element.h"
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
  const size_t bytes = weight.data.size() / static_cast<size_t>(weight.shape[0]);
  const std::byte* data = weight.data.data();
  // Each row equals the next if the bytes equal those one row further.
  if (std::memcmp(data, data + bytes, weight.data.size() - bytes) == 0) return true;
  // Bytes of equal numbers may differ: of the two zeros.
  const size_t count = weight.ref().count();
  const size_t row = count / static_cast<size_t>(weight.shape[0]);
  bool equal = false;
  const Status status = stats::VisitReal(weight.dtype, [&]<class T>() {
    const auto at = [&](size_t i) { return stats::ToDouble(stats::ReadElement<T>(data, i)); };
    size_t i = 0;
    while (i + row < count && at(i) == at(i + row)) ++i;
    equal = i + row == count;
  });
  return status.ok() && equal;
}

const BestLoss& LossProgress::Add(const TensorView& tensor, Mode mode, double loss) {
  auto& worker = best_[{std::string(tensor.worker()), mode}];
  BestLoss& best = worker.try_emplace(std::string(tensor.name())).first->second;
  if (loss < best.value) {
    best = {loss, 0};
  } else {
    ++best.steps_since;
  }
  return best;
}

const BestLoss* LossProgress::LeastStalled(std::string_view worker, Mode mode) const {
  const auto losses = best_.find({std::string(worker), mode});
  if (losses == best_.end()) return nullptr;
  const auto least = std::min_element(
      losses->second.begin(), losses->second.end(),
      [](const auto& a, const auto& b) { return a.second.steps_since < b.second.steps_since; });
  return least == losses->second.end() ? nullptr : &least->second;
}

}  // namespace warden::rules
