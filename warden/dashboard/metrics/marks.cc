// What to mark on the axis of time: the training loop, slow steps, findings.

#include <algorithm>
#include <limits>

#include "warden/base/json.h"
#include "warden/dashboard/metrics/finding_times.h"
#include "warden/dashboard/metrics/metric_answers.h"
#include "warden/dashboard/metrics/window.h"

namespace warden::dashboard {
namespace {

constexpr size_t kMostOutliers = 500;

// When it was; nothing if that is not known.
std::optional<double> TimeOf(const rules::Finding& finding, const view::StepTimes& steps) {
  if (finding.time_s > 0) return finding.time_s;
  return steps.TimeOf(finding.step);
}

Json OutliersOf(const view::StepTimes& steps, const view::TimeWindow& window) {
  Json outliers = Json::array();
  for (const view::SlowStep& slow : steps.Slow(window, kMostOutliers)) {
    outliers.push_back({{"step", slow.step},
                        {"mode", slow.mode},
                        {"node", slow.node},
                        {"time", slow.time},
                        {"duration", slow.seconds},
                        {"usual", slow.usual}});
  }
  return outliers;
}

}  // namespace

Result<http::Response> MetricMarks(const view::RunMetrics& metrics, const RunRequest& request) {
  constexpr double kEver = std::numeric_limits<double>::infinity();
  const auto window = WindowOf(request.query, {-kEver, kEver});
  if (!window.ok()) return window.status();
  const bool whole = window.value().from == -kEver && window.value().to == kEver;
  const auto recorded = ReadFindings(request.run->places().rule_records);
  Json marks = {{"loop", nullptr}, {"outliers", Json::array()}, {"findings", Json::array()}};
  metrics.LookAtSteps([&](const view::StepTimes& steps) {
    if (const auto loop = steps.loop()) marks["loop"] = {loop->from, loop->to};
    marks["outliers"] = OutliersOf(steps, window.value());
    for (const RecordedFinding& one : recorded) {
      const auto time = TimeOf(one.finding, steps);
      if (time ? *time < window.value().from || *time > window.value().to : !whole) continue;
      marks["findings"].push_back({{"rule", one.rule},
                                   {"id", one.finding.id},
                                   {"time", time ? Json(*time) : Json()},
                                   {"step", one.finding.step},
                                   {"message", one.finding.message}});
    }
  });
  return JsonAnswer(marks);
}

}  // namespace warden::dashboard
