#include "warden/view/series/axis.h"

#include <algorithm>
#include <utility>

namespace warden::view {

std::vector<size_t> Axis::Add(std::span<const Step> steps) {
  const bool at_end = steps_.empty() || (!steps.empty() && steps.front() > steps_.back().step);
  if (at_end) {
    for (const Step step : steps) steps_.push_back({.step = step, .mode = {}});
    return {};
  }
  std::vector<AxisStep> merged;
  merged.reserve(steps_.size() + steps.size());
  std::vector<size_t> moved(steps_.size());
  bool changed = false;
  size_t next = 0;
  for (size_t i = 0; i < steps_.size(); ++i) {
    for (; next < steps.size() && steps[next] < steps_[i].step; ++next) {
      merged.push_back({.step = steps[next], .mode = {}});
    }
    if (next < steps.size() && steps[next] == steps_[i].step) ++next;
    moved[i] = merged.size();
    changed |= moved[i] != i;
    merged.push_back(steps_[i]);
  }
  for (; next < steps.size(); ++next) merged.push_back({.step = steps[next], .mode = {}});
  steps_ = std::move(merged);
  return changed ? moved : std::vector<size_t>();
}

std::optional<size_t> Axis::Find(Step step) const {
  const auto found = std::ranges::lower_bound(steps_, step, {}, &AxisStep::step);
  if (found == steps_.end() || found->step != step) return std::nullopt;
  return static_cast<size_t>(found - steps_.begin());
}

}  // namespace warden::view
