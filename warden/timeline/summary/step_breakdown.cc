#include "warden/timeline/summary/step_breakdown.h"

#include <algorithm>
#include <tuple>

namespace warden::timeline {
namespace {

constexpr std::string_view kStepPrefix = "Step:ModeKeys.";

}  // namespace

std::optional<std::string_view> ModeOfStepPhase(std::string_view phase) {
  if (!phase.starts_with(kStepPrefix)) return std::nullopt;
  return phase.substr(kStepPrefix.size());
}

StepBreakdowns::Part StepBreakdowns::PartOf(NameId phase) {
  if (phase >= part_of_phase_.size()) part_of_phase_.resize(phase + 1);
  uint8_t& known = part_of_phase_[phase];
  if (known != 0) return static_cast<Part>(known - 1);
  const std::string_view name = names_->Text(phase);
  Part part = kNone;
  // Submodules lie inside the whole model's forward.
  if (ModeOfStepPhase(name)) {
    part = kStep;
  } else if (name == "Forward") {
    part = kForward;
  } else if (name == "Backward" || name == "Backward(post-forward)") {
    part = kBackward;
  } else if (name == "Optimizer") {
    part = kOptimizer;
  } else if (name == "DataLoaderIter" || name == "DataLoaderIterInitialize" ||
             name == "DataIterator") {
    part = kDataLoading;
  }
  known = static_cast<uint8_t>(part + 1);
  return part;
}

void StepBreakdowns::Add(const Span& span) {
  const Part part = PartOf(span.phase);
  if (part == kStep) {
    steps_.push_back({span.phase, span.node, span.step, span.start_us, span.duration_us, {}});
  } else if (part != kNone) {
    parts_[{span.node, part}].push_back({span.start_us, span.end_us()});
  }
}

// What overlaps becomes one, and all are in order.
void StepBreakdowns::Unite(Intervals* intervals) {
  std::sort(intervals->begin(), intervals->end(),
            [](const Interval& a, const Interval& b) { return a.start_us < b.start_us; });
  size_t last = 0;
  for (size_t i = 1; i < intervals->size(); ++i) {
    Interval& united = (*intervals)[last];
    const Interval& next = (*intervals)[i];
    if (next.start_us <= united.end_us) {
      united.end_us = std::max(united.end_us, next.end_us);
    } else {
      (*intervals)[++last] = next;
    }
  }
  if (!intervals->empty()) intervals->resize(last + 1);
}

int64_t StepBreakdowns::Within(const Intervals& united, const Interval& outer) {
  auto at = std::lower_bound(
      united.begin(), united.end(), outer.start_us,
      [](const Interval& interval, int64_t start) { return interval.end_us <= start; });
  int64_t sum = 0;
  for (; at != united.end() && at->start_us < outer.end_us; ++at) {
    sum += std::min(at->end_us, outer.end_us) - std::max(at->start_us, outer.start_us);
  }
  return sum;
}

std::vector<StepBreakdown> StepBreakdowns::Finish() {
  std::map<NameId, Intervals> any_part;
  for (auto& [key, intervals] : parts_) {
    Unite(&intervals);
    Intervals& all = any_part[key.first];
    all.insert(all.end(), intervals.begin(), intervals.end());
  }
  for (auto& [node, intervals] : any_part) Unite(&intervals);
  for (StepBreakdown& step : steps_) {
    const Interval whole{step.start_us, step.start_us + step.duration_us};
    const auto share = [&](Part part) {
      const auto found = parts_.find({step.node, part});
      return found == parts_.end() ? 0.0 : static_cast<double>(Within(found->second, whole));
    };
    step.us.forward = share(kForward);
    step.us.backward = share(kBackward);
    step.us.optimizer = share(kOptimizer);
    step.us.data_loading = share(kDataLoading);
    step.us.other = static_cast<double>(step.duration_us - Within(any_part[step.node], whole));
  }
  std::sort(steps_.begin(), steps_.end(), [](const StepBreakdown& a, const StepBreakdown& b) {
    return std::tie(a.start_us, a.node) < std::tie(b.start_us, b.node);
  });
  return std::move(steps_);
}

}  // namespace warden::timeline
