#include "warden/sagemaker/cloudwatch.h"

#include <cmath>
#include <variant>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/sagemaker/cloudwatch_wire.h"
#include "warden/sagemaker/metrics/job_metrics.h"
#include "warden/sagemaker/model/api_error.h"
#include "warden/sagemaker/replaced_services.h"

namespace warden::sagemaker {
namespace {

using MetricOutcome = std::variant<Json, ApiError>;

constexpr std::string_view kCloudWatchPath = "/service/";
constexpr std::string_view kMetricsNamespace = "/aws/sagemaker/TrainingJobs";
// Long enough for a log that was never read before; whoever draws curves waits for them.
constexpr std::chrono::milliseconds kReadBudget{2000};
constexpr int64_t kLongestPeriod = 86'400;
constexpr size_t kMostQueries = 500;

ApiError BadParameter(std::string message) { return {"InvalidParameterValue", std::move(message)}; }

// A number, or a text that is one: forms have texts alone.
std::optional<double> NumberOf(const Json* member) {
  if (member == nullptr) return std::nullopt;
  if (member->is_number()) return member->get<double>();
  return ParseDouble(TextOf(member));
}

// Seconds since 1970, as a number or as ISO 8601.
std::optional<int64_t> SecondOf(const Json* member) {
  std::optional<double> seconds = NumberOf(member);
  if (!seconds) seconds = IsoSecond(TextOf(member));
  if (!seconds || !(std::abs(*seconds) < 1e11)) return std::nullopt;
  return static_cast<int64_t>(std::floor(*seconds));
}

// The job that a list of dimensions names: TrainingJobName, or Host "<job>/algo-1".
std::string JobOf(const Json* dimensions) {
  if (dimensions == nullptr || !dimensions->is_array()) return "";
  for (const Json& dimension : *dimensions) {
    const std::string name = TextOf(MemberOf(dimension, "Name"));
    const std::string value = TextOf(MemberOf(dimension, "Value"));
    if (name == "TrainingJobName") return value;
    if (name == "Host") return value.substr(0, value.find('/'));
  }
  return "";
}

// All metrics of the job; none if there is no such job, as CloudWatch has it.
MetricsByName MetricsOf(const ApiParts& parts, const std::string& name) {
  const auto job = name.empty() ? Status(Code::kNotFound, "") : parts.store->Get(name);
  return job.ok() ? parts.metrics->Of(job.value(), kReadBudget) : MetricsByName();
}

struct TimeRange {
  int64_t start = 0, end = 0, period = 0;
};
std::variant<TimeRange, ApiError> RangeOf(const Json& body, const Json* period_member) {
  const auto start = SecondOf(MemberOf(body, "StartTime"));
  const auto end = SecondOf(MemberOf(body, "EndTime"));
  const auto period = NumberOf(period_member);
  if (!start || !end) return BadParameter("The parameters StartTime and EndTime must be times.");
  if (*start >= *end) {
    return BadParameter("The parameter StartTime must be less than the parameter EndTime.");
  }
  if (!period || !(*period >= 1 && *period <= kLongestPeriod)) {
    return BadParameter("The parameter Period must be from 1 to 86400.");
  }
  return TimeRange{*start, *end, static_cast<int64_t>(*period)};
}

std::optional<double> StatisticOf(const MetricPeriod& period, std::string_view statistic) {
  if (statistic == "Average") return period.sum / static_cast<double>(period.count);
  if (statistic == "Sum") return period.sum;
  if (statistic == "Minimum") return period.min;
  if (statistic == "Maximum") return period.max;
  if (statistic == "SampleCount") return static_cast<double>(period.count);
  return std::nullopt;
}

MetricOutcome GetMetricStatistics(const ApiParts& parts, const Json& body) {
  const auto range = RangeOf(body, MemberOf(body, "Period"));
  if (const auto* error = std::get_if<ApiError>(&range)) return *error;
  const auto& [start, end, period] = *std::get_if<TimeRange>(&range);
  const Json* statistics = MemberOf(body, "Statistics");
  if (statistics == nullptr || !statistics->is_array() || statistics->empty()) {
    return ApiError{"MissingParameter", "At least one of the parameters Statistics must be set."};
  }
  const std::string name = TextOf(MemberOf(body, "MetricName"));
  Json points = Json::array();
  if (TextOf(MemberOf(body, "Namespace")) == kMetricsNamespace) {
    const MetricsByName metrics = MetricsOf(parts, JobOf(MemberOf(body, "Dimensions")));
    const auto metric = metrics.find(name);
    if (metric != metrics.end()) {
      for (const auto& [begin, values] : metric->second.Over(start, end, period)) {
        Json point = {{"Timestamp", static_cast<double>(begin)}, {"Unit", "None"}};
        for (const Json& statistic : *statistics) {
          const std::string wanted = TextOf(&statistic);
          if (const auto value = StatisticOf(values, wanted)) point[wanted] = *value;
        }
        points.push_back(std::move(point));
      }
    }
  }
  return Json{{"Label", name}, {"Datapoints", std::move(points)}};
}

std::variant<Json, ApiError> AnswerQuery(const ApiParts& parts, const Json& body,
                                         const Json& query) {
  const Json* stat = MemberOf(query, "MetricStat");
  const Json* metric = stat == nullptr ? nullptr : MemberOf(*stat, "Metric");
  if (metric == nullptr) {
    return ApiError{"ValidationError", "Expressions are not supported; use MetricStat."};
  }
  const auto range = RangeOf(body, MemberOf(*stat, "Period"));
  if (const auto* error = std::get_if<ApiError>(&range)) return *error;
  const auto& [start, end, period] = *std::get_if<TimeRange>(&range);
  const std::string name = TextOf(MemberOf(*metric, "MetricName"));
  Json times = Json::array(), values = Json::array();
  const MetricsByName metrics = TextOf(MemberOf(*metric, "Namespace")) == kMetricsNamespace
                                    ? MetricsOf(parts, JobOf(MemberOf(*metric, "Dimensions")))
                                    : MetricsByName();
  if (const auto found = metrics.find(name); found != metrics.end()) {
    for (const auto& [begin, of_period] : found->second.Over(start, end, period)) {
      const auto value = StatisticOf(of_period, TextOf(MemberOf(*stat, "Stat")));
      if (!value) continue;
      times.push_back(static_cast<double>(begin));
      values.push_back(*value);
    }
  }
  if (TextOf(MemberOf(body, "ScanBy")) != "TimestampAscending") {
    std::reverse(times.begin(), times.end());
    std::reverse(values.begin(), values.end());
  }
  const std::string label = TextOf(MemberOf(query, "Label"));
  return Json{{"Id", TextOf(MemberOf(query, "Id"))},
              {"Label", label.empty() ? name : label},
              {"Timestamps", std::move(times)},
              {"Values", std::move(values)},
              {"StatusCode", "Complete"}};
}

MetricOutcome GetMetricData(const ApiParts& parts, const Json& body) {
  const Json* queries = MemberOf(body, "MetricDataQueries");
  if (queries == nullptr || !queries->is_array() || queries->empty() ||
      queries->size() > kMostQueries) {
    return ApiError{"ValidationError", "MetricDataQueries must have from 1 to 500 members."};
  }
  Json results = Json::array();
  for (const Json& query : *queries) {
    auto result = AnswerQuery(parts, body, query);
    if (const auto* error = std::get_if<ApiError>(&result)) return *error;
    results.push_back(std::move(*std::get_if<Json>(&result)));
  }
  return Json{{"MetricDataResults", std::move(results)}, {"Messages", Json::array()}};
}

MetricOutcome ListMetrics(const ApiParts& parts, const Json& body) {
  const std::string job = JobOf(MemberOf(body, "Dimensions"));
  const std::string wanted = TextOf(MemberOf(body, "MetricName"));
  Json found = Json::array();
  for (const auto& [name, series] : MetricsOf(parts, job)) {
    if (!wanted.empty() && name != wanted) continue;
    found.push_back({{"Namespace", kMetricsNamespace},
                     {"MetricName", name},
                     {"Dimensions", Json::array({{{"Name", "TrainingJobName"}, {"Value", job}}})}});
  }
  return Json{{"Metrics", std::move(found)}};
}

MetricOutcome PerformCloudWatch(std::string_view operation, const Json& body,
                                const ApiParts& parts) {
  if (operation == "GetMetricStatistics") return GetMetricStatistics(parts, body);
  if (operation == "GetMetricData") return GetMetricData(parts, body);
  if (operation == "ListMetrics") return ListMetrics(parts, body);
  return ReplacedMetricOperation(operation);
}

}  // namespace

bool IsCloudWatchCall(const http::RequestHead& head) {
  return head.method == "POST" && head.path.starts_with(kCloudWatchPath) &&
         std::string_view(head.path).substr(kCloudWatchPath.size()).starts_with(kCloudWatchTarget);
}

http::Response AnswerCloudWatch(std::string_view operation, const Json& body, const ApiParts& parts,
                                const http::RequestHead& head) {
  const MetricOutcome outcome = PerformCloudWatch(operation, body, parts);
  if (const auto* error = std::get_if<ApiError>(&outcome)) return ToResponse(*error, head.id);
  return ToResponse(*std::get_if<Json>(&outcome), head.id);
}

http::Response AnswerCloudWatchCbor(const std::string& body, const ApiParts& parts,
                                    const http::RequestHead& head) {
  const std::string_view path = head.path;
  const auto request = FromCbor(body);
  if (!request) {
    return ToCborResponse(ApiError{"SerializationException", "Cannot parse the body"}, head.id);
  }
  const MetricOutcome outcome =
      PerformCloudWatch(path.substr(path.rfind('/') + 1), *request, parts);
  if (const auto* error = std::get_if<ApiError>(&outcome)) return ToCborResponse(*error, head.id);
  return ToCborResponse(*std::get_if<Json>(&outcome), head.id);
}

http::Response AnswerCloudWatchForm(const std::string& body, const ApiParts& parts,
                                    const http::RequestHead& head) {
  const Json request = FromQueryForm(body);
  const std::string operation = TextOf(MemberOf(request, "Action"));
  const MetricOutcome outcome = PerformCloudWatch(operation, request, parts);
  if (const auto* error = std::get_if<ApiError>(&outcome)) return ToFormResponse(*error, head.id);
  return ToQueryResponse(operation, *std::get_if<Json>(&outcome), head.id);
}

}  // namespace warden::sagemaker
