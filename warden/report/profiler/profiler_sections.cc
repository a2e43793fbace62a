#include "warden/report/profiler/profiler_sections.h"

#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/report/profiler/details.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

constexpr size_t kMostNodes = 64;

std::optional<double> SecondsAt(const Json& object, std::string_view key) {
  const auto us = NumberAt(object, key);
  return us ? std::optional(*us / kMicroseconds) : std::nullopt;
}

}  // namespace

JobTimes TimesOf(const ProfilerInputs& inputs) {
  const Json& details = DetailsOf(inputs, "MaxInitializationTime");
  const Json& steps = ObjectAt(details, "step_num");
  JobTimes times = {NumberAt(details, "job_start"), NumberAt(details, "job_end"),
                    SecondsAt(steps, "first"), SecondsAt(steps, "last")};
  if (!times.start) {
    for (const Json& node : ObjectAt(DetailsOf(inputs, "OverallSystemUsage"), "series")) {
      const auto start = NumberAt(node, "start_s");
      if (start && (!times.start || *start < *times.start)) times.start = start;
    }
  }
  if (!times.start) times.start = times.loop_start;
  return times;
}

LinesLook LookOf(const ProfilerInputs& inputs, std::string unit) {
  const JobTimes times = TimesOf(inputs);
  LinesLook look;
  look.unit = std::move(unit);
  look.origin = times.start.value_or(0);
  if (times.loop_start && times.loop_end) look.loop = {{*times.loop_start, *times.loop_end}};
  if (look.unit == "%") look.top = 100;
  return look;
}

Paragraph NothingOf(const ProfilerInputs& inputs, std::string_view rule) {
  const rules::ProfilerResult* result = FindResult(inputs, rule);
  if (result == nullptr) {
    return {fmt::format("No data: rule {} was not run.", rule), Tone::kQuiet};
  }
  if (!result->not_evaluated.empty()) {
    return {fmt::format("{} was not evaluated: {}.", rule, result->not_evaluated), Tone::kQuiet};
  }
  return {fmt::format("No data: {} recorded no values.", rule), Tone::kQuiet};
}

Paragraph VerdictOf(const ProfilerInputs& inputs, std::string_view rule, std::string_view points) {
  const rules::ProfilerResult* result = FindResult(inputs, rule);
  if (result == nullptr || !result->not_evaluated.empty()) return NothingOf(inputs, rule);
  if (result->triggered == 0) {
    return {fmt::format("{} checked {} {}: no problems found.", rule, Count(result->datapoints),
                        points),
            Tone::kGood};
  }
  return {fmt::format("{} checked {} {}: problems found in {}.", rule, Count(result->datapoints),
                      points, Counted(result->triggered, "interval", "intervals")),
          Tone::kWarning};
}

std::optional<Box> BoxOf(const std::string& label, const Json& box) {
  const auto p25 = NumberAt(box, "p25");
  const auto p50 = NumberAt(box, "p50");
  const auto p75 = NumberAt(box, "p75");
  if (!p25 || !p50 || !p75) return std::nullopt;
  return Box{label,
             NumberAt(box, "lower").value_or(*p25),
             *p25,
             *p50,
             *p75,
             NumberAt(box, "upper").value_or(*p75),
             NumberAt(box, "p95")};
}

std::string DeviceName(const std::string& node, const std::string& device, bool several_nodes) {
  return several_nodes ? node + " " + device : device;
}

std::vector<std::pair<std::string, const Json*>> NodesIn(const Json& details) {
  std::vector<std::pair<std::string, const Json*>> nodes;
  if (!details.is_object()) return nodes;
  for (const auto& [name, value] : details.items()) {
    if (value.is_object() && nodes.size() < kMostNodes) nodes.emplace_back(name, &value);
  }
  return nodes;
}

}  // namespace warden::report
