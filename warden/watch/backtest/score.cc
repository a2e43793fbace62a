#include "warden/watch/backtest/score.h"

#include <algorithm>
#include <numeric>

#include "warden/base/json.h"

namespace warden::watch {

RunOutcome OutcomeOf(const trial::RunLabel& label,
                     const std::vector<const rules::Finding*>& findings) {
  RunOutcome outcome;
  const Step since = label.since.value_or(0);
  for (const rules::Finding* finding : findings) {
    outcome.step = std::min(outcome.step.value_or(finding->step), finding->step);
    if (label.good || finding->step < since) {
      outcome.false_alarm = true;
      continue;
    }
    outcome.found = true;
    if (label.since) {
      const Step delay = finding->step - since;
      outcome.delay = std::min(outcome.delay.value_or(delay), delay);
    }
  }
  return outcome;
}

void Score::Add(const trial::RunLabel& label, const RunOutcome& outcome) {
  ++(label.good ? good : bad);
  if (outcome.found) ++found;
  if (outcome.false_alarm) ++false_alarms;
  if (outcome.delay) delays.push_back(*outcome.delay);
}

std::optional<double> Score::precision() const {
  const int64_t alarms = found + false_alarms;
  if (alarms == 0) return std::nullopt;
  return static_cast<double>(found) / static_cast<double>(alarms);
}

std::optional<double> Score::recall() const {
  if (bad == 0) return std::nullopt;
  return static_cast<double>(found) / static_cast<double>(bad);
}

std::optional<double> Score::median_delay() const {
  if (delays.empty()) return std::nullopt;
  std::vector<Step> sorted = delays;
  std::sort(sorted.begin(), sorted.end());
  const size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return static_cast<double>(sorted[middle]);
  return std::midpoint(static_cast<double>(sorted[middle - 1]),
                       static_cast<double>(sorted[middle]));
}

Json ToJson(const Score& score) {
  const auto or_null = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json();
  };
  return {{"runs", score.good + score.bad},
          {"good", score.good},
          {"bad", score.bad},
          {"true_alarms", score.found},
          {"false_alarms", score.false_alarms},
          {"missed", score.missed()},
          {"precision", or_null(score.precision())},
          {"recall", or_null(score.recall())},
          {"median_delay", or_null(score.median_delay())}};
}

}  // namespace warden::watch
