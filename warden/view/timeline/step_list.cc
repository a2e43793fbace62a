#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "warden/timeline/summary/step_breakdown.h"
#include "warden/view/timeline/step_path.h"

namespace warden::view {
namespace {

constexpr std::string_view kTrain = "TRAIN";
constexpr std::string_view kProfiler = "profiler";

std::string ModeOf(const TimelineSnapshot& snapshot, EventId id) {
  const EventStore& store = *snapshot.store;
  const auto mode = timeline::ModeOfStepPhase(*store.Text(store.label(id)).category);
  return std::string(mode.value_or(kProfiler));
}

// One of the usual duration, the first of them.
const StepSpan& Usual(const std::vector<StepSpan>& steps) {
  std::vector<int64_t> durations;
  durations.reserve(steps.size());
  for (const StepSpan& step : steps) durations.push_back(step.duration_ns);
  const auto middle = durations.begin() + static_cast<int64_t>((durations.size() - 1) / 2);
  std::nth_element(durations.begin(), middle, durations.end());
  return *std::find_if(steps.begin(), steps.end(),
                       [&](const StepSpan& step) { return step.duration_ns == *middle; });
}

std::string Described(const std::vector<StepList>& lists) {
  std::vector<std::string> texts;
  for (const StepList& list : lists) {
    const auto [first, last] =
        std::minmax_element(list.steps.begin(), list.steps.end(),
                            [](const StepSpan& a, const StepSpan& b) { return a.step < b.step; });
    texts.push_back(
        fmt::format("{} of {}: {} to {}", list.mode, list.node, first->step, last->step));
    if (texts.size() == 4) break;
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

std::vector<StepList> StepsOf(const TimelineSnapshot& snapshot) {
  const EventStore& store = *snapshot.store;
  std::map<std::tuple<bool, std::string, std::string>, std::vector<StepSpan>> found;
  for (size_t i = 0; i < snapshot.steps; ++i) {
    const auto& [id, step] = store.step(i);
    if (id >= snapshot.events || store.duration(id) <= 0) continue;
    std::string mode = ModeOf(snapshot, id);
    const bool other = mode != kTrain;
    found[{other, std::move(mode), snapshot.tracks[store.track(id)].name.node}].push_back(
        {id, step, store.start(id), store.duration(id)});
  }
  std::vector<StepList> lists;
  for (auto& [key, steps] : found) {
    std::sort(steps.begin(), steps.end(),
              [](const StepSpan& a, const StepSpan& b) { return a.start_ns < b.start_ns; });
    lists.push_back({std::get<1>(key), std::get<2>(key), std::move(steps)});
  }
  return lists;
}

Result<StepSpan> FindStep(const TimelineSnapshot& snapshot, const StepQuery& query) {
  const std::vector<StepList> lists = StepsOf(snapshot);
  if (lists.empty()) return Status(Code::kNotFound, "the timeline has no steps");
  for (const StepList& list : lists) {
    if (!query.mode.empty() && query.mode != list.mode) continue;
    if (!query.node.empty() && query.node != list.node) continue;
    if (!query.step) return Usual(list.steps);
    for (const StepSpan& step : list.steps) {
      if (step.step == *query.step) return step;
    }
  }
  const std::string which = query.step ? fmt::format(" {}", *query.step) : "";
  const std::string mode = query.mode.empty() ? "" : fmt::format(" of mode {}", query.mode);
  const std::string node = query.node.empty() ? "" : fmt::format(" of {}", query.node);
  return Status(Code::kNotFound, fmt::format("no step{}{}{} in the timeline; it has {}", which,
                                             mode, node, Described(lists)));
}

}  // namespace warden::view
