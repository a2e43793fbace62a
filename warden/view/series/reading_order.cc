#include "warden/view/series/reading_order.h"

#include <algorithm>
#include <utility>

namespace warden::view {
namespace {

// The first pass reads at most so many steps.
constexpr size_t kCoarseSteps = 64;

}  // namespace

void ReadingOrder::Start(std::vector<Step> steps) {
  steps_ = std::move(steps);
  places_.clear();
  places_.reserve(steps_.size());
  next_ = 0;
  coarse_left_ = 0;
  const size_t count = steps_.size();
  if (count == 0) return;
  size_t stride = 1;
  while (count / stride > kCoarseSteps) stride *= 2;
  // The last one tells where the run is now.
  const size_t last = count - 1;
  places_.push_back(static_cast<uint32_t>(last));
  const auto add = [&](size_t first, size_t every) {
    for (size_t i = first; i < last; i += every) places_.push_back(static_cast<uint32_t>(i));
  };
  add(0, stride);
  // Whoever numbers tensors has to see the first step first: it has them in the order of the model.
  if (count > 1) std::swap(places_[0], places_[1]);
  coarse_left_ = places_.size();
  for (; stride > 1; stride /= 2) add(stride / 2, stride);
}

std::optional<ReadingOrder::Next> ReadingOrder::Take() {
  const bool first_is_read = next_ > 0 || places_.empty();
  if (!new_.empty() && first_is_read) {
    const Step step = new_.front();
    new_.pop_front();
    return Next{step, true};
  }
  if (next_ == places_.size()) return std::nullopt;
  if (coarse_left_ > 0) --coarse_left_;
  return Next{steps_[places_[next_++]], false};
}

}  // namespace warden::view
