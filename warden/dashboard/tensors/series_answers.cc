#include "warden/dashboard/tensors/series_answers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "warden/base/json.h"

namespace warden::dashboard {

Result<std::optional<view::Statistic>> StatisticFrom(const std::string& name) {
  if (name.empty()) return std::optional<view::Statistic>();
  if (const auto statistic = view::ParseStatistic(name)) return statistic;
  std::vector<std::string> known;
  for (view::Statistic i = 0; i < view::kStatistics; ++i) known.push_back(view::StatisticName(i));
  return Status(Code::kInvalid, fmt::format("unknown statistic '{}'; expected one of: {}", name,
                                            fmt::join(known, ", ")));
}

Result<view::StepRange> RangeFrom(const Query& query) {
  view::StepRange range;
  const auto mode = query.ModeOf("mode");
  if (!mode.ok()) return mode.status();
  range.mode = mode.value();
  const auto from = query.Number("from", range.from);
  if (!from.ok()) return from.status();
  range.from = from.value();
  const auto to = query.Number("to", range.to);
  if (!to.ok()) return to.status();
  range.to = to.value();
  const std::string x = query.Text("x");
  if (x == "global") {
    range.x = view::XKind::kGlobalStep;
  } else if (x == "time") {
    range.x = view::XKind::kTime;
  } else if (!x.empty() && x != "mode") {
    return Status(Code::kInvalid, fmt::format("x is '{}'; expected mode, global or time", x));
  }
  return range;
}

Json ProgressJson(const view::SeriesProgress& progress) {
  return {{"steps", progress.steps}, {"total", progress.total}, {"done", progress.done}};
}

}  // namespace warden::dashboard
