#include "warden/sagemaker/metrics/reported_metric.h"

#include <chrono>
#include <cmath>

#include "warden/base/json.h"
#include "warden/base/json_members.h"

namespace warden::sagemaker {
namespace {

constexpr size_t kLongestMetricName = 255;

}  // namespace

std::optional<ReportedMetric> ParseMetricLine(std::string_view line) {
  const auto json = ParseJson(line);
  if (!json.ok()) return std::nullopt;
  const std::string name = TextOf(MemberOf(json.value(), "MetricName"));
  const Json* value = MemberOf(json.value(), "Value");
  const Json* time = MemberOf(json.value(), "Timestamp");
  if (name.empty() || name.size() > kLongestMetricName) return std::nullopt;
  if (value == nullptr || !value->is_number() || time == nullptr || !time->is_number()) {
    return std::nullopt;
  }
  const double seconds = time->get<double>();
  constexpr double kYear3000 = 32503680000;
  if (!std::isfinite(value->get<double>()) || !(seconds >= 0 && seconds < kYear3000)) {
    return std::nullopt;
  }
  return ReportedMetric{name, value->get<double>(),
                        Time(std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000)))};
}

}  // namespace warden::sagemaker
