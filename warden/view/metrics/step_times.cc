#include "warden/view/metrics/step_times.h"

#include <algorithm>
#include <cmath>

#include "warden/timeline/summary/step_breakdown.h"

namespace warden::view {
namespace {

constexpr int64_t kMostUs = int64_t{1} << 53;  // 285 years: beyond, a file says nonsense.
constexpr double kDeviations = 3;
// Of a longer run the older half is forgotten.
constexpr size_t kMostSteps = 1'000'000;
constexpr size_t kMostSeries = 1024;

double SecondsOf(int64_t us) { return static_cast<double>(us) / 1e6; }

}  // namespace

void StepTimes::Add(const timeline::Span& span, const timeline::Names& names) {
  const auto mode = timeline::ModeOfStepPhase(names.Text(span.phase));
  const bool usable = span.start_us > 0 && span.start_us < kMostUs && span.duration_us >= 0 &&
                      span.duration_us < kMostUs;
  if (!mode || !usable) return;
  const Key key(std::string(*mode), names.Text(span.node));
  auto found = steps_.find(key);
  if (found == steps_.end()) {
    if (steps_.size() == kMostSeries) return;
    found = steps_.emplace(key, std::vector<Timed>()).first;
  }
  std::vector<Timed>& steps = found->second;
  if (steps.size() == kMostSteps) steps.erase(steps.begin(), steps.begin() + kMostSteps / 2);
  steps.push_back({span.step, span.start_us, span.duration_us});
  first_us_ = first_us_ == 0 ? span.start_us : std::min(first_us_, span.start_us);
  last_us_ = std::max(last_us_, span.end_us());
}

std::optional<TimeWindow> StepTimes::loop() const {
  if (empty()) return std::nullopt;
  return TimeWindow{SecondsOf(first_us_), SecondsOf(last_us_)};
}

std::vector<SlowStep> StepTimes::Slow(const TimeWindow& window, size_t most) const {
  std::vector<SlowStep> slow;
  for (const auto& [key, steps] : steps_) {
    std::vector<double> seconds;
    double sum = 0;
    for (const Timed& step : steps) sum += seconds.emplace_back(SecondsOf(step.duration_us));
    const double mean = sum / static_cast<double>(seconds.size());
    double squares = 0;
    for (const double one : seconds) squares += (one - mean) * (one - mean);
    const double limit =
        mean + kDeviations * std::sqrt(squares / static_cast<double>(seconds.size()));
    const auto middle = seconds.begin() + static_cast<ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    for (const Timed& step : steps) {
      const double time = SecondsOf(step.start_us);
      const double took = SecondsOf(step.duration_us);
      if (took <= limit || time + took < window.from || time > window.to) continue;
      slow.push_back({step.step, key.first, key.second, time, took, *middle});
    }
  }
  if (slow.size() > most) {
    const auto end = slow.begin() + static_cast<ptrdiff_t>(most);
    std::nth_element(slow.begin(), end, slow.end(),
                     [](const SlowStep& a, const SlowStep& b) { return a.seconds > b.seconds; });
    slow.erase(end, slow.end());
  }
  std::sort(slow.begin(), slow.end(),
            [](const SlowStep& a, const SlowStep& b) { return a.time < b.time; });
  return slow;
}

std::optional<double> StepTimes::TimeOf(Step global_step) const {
  if (empty() || global_step < 0) return std::nullopt;
  const std::string& mode = steps_.begin()->first.first;
  if (steps_.rbegin()->first.first != mode) return std::nullopt;  // They are sorted by mode.
  for (const auto& [key, steps] : steps_) {
    // Of one process and mode they come in their order.
    const auto at =
        std::lower_bound(steps.begin(), steps.end(), global_step,
                         [](const Timed& step, Step wanted) { return step.step < wanted; });
    if (at != steps.end() && at->step == global_step) return SecondsOf(at->start_us);
  }
  return std::nullopt;
}

}  // namespace warden::view
