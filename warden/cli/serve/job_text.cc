#include "warden/cli/serve/job_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "warden/base/json.h"

namespace warden::cli {
namespace {

// The end of the year 9999.
constexpr double kLatestSecond = 253402300799.0;

const Json& Find(const Json& json, const char* member, Json::value_t type) {
  static const Json empty_object = Json::object();
  static const Json empty_list = Json::array();
  const Json& empty = type == Json::value_t::object ? empty_object : empty_list;
  if (!json.is_object()) return empty;
  const auto found = json.find(member);
  return found != json.end() && found->type() == type ? *found : empty;
}

}  // namespace

std::string TextIn(const Json& json, const char* member) {
  if (!json.is_object()) return "";
  const auto found = json.find(member);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<double> NumberIn(const Json& json, const char* member) {
  if (!json.is_object()) return std::nullopt;
  const auto found = json.find(member);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

const Json& ObjectIn(const Json& json, const char* member) {
  return Find(json, member, Json::value_t::object);
}

const Json& ListIn(const Json& json, const char* member) {
  return Find(json, member, Json::value_t::array);
}

std::string TimeText(std::optional<double> seconds) {
  if (!seconds || !(*seconds >= 0 && *seconds <= kLatestSecond)) return "";
  const auto time = static_cast<std::time_t>(*seconds);
  std::tm local{};
  localtime_r(&time, &local);
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", local);
}

std::string SpanText(std::optional<double> start, std::optional<double> end) {
  if (!start || !end || !(*end - *start >= 0 && *end - *start <= kLatestSecond)) return "";
  const double seconds = *end - *start;
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto minutes = static_cast<int64_t>(seconds / 60);
  if (minutes < 60) {
    return fmt::format("{} min {:02} s", minutes, static_cast<int64_t>(seconds) % 60);
  }
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

Cell StatusCell(const std::string& status) {
  if (status == "Completed" || status == "NoIssuesFound") return {status, Style::kGood};
  if (status == "Failed" || status == "Error" || status == "IssuesFound") {
    return {status, Style::kBad};
  }
  if (status == "Stopped" || status == "Stopping") return {status, Style::kWarning};
  return {status};
}

bool IsOver(const std::string& job_status) {
  return job_status == "Completed" || job_status == "Failed" || job_status == "Stopped";
}

std::string JobOutputOf(const Json& job, const char* config, const char* folder) {
  std::string path = TextIn(ObjectIn(job, config), "S3OutputPath");
  if (path.empty()) return "";
  while (path.ends_with('/')) path.pop_back();
  return fmt::format("{}/{}/{}", path, TextIn(job, "TrainingJobName"), folder);
}

std::vector<RuleRow> RulesIn(const Json& description) {
  std::vector<RuleRow> rows;
  for (const char* kind : {"DebugRuleEvaluationStatuses", "ProfilerRuleEvaluationStatuses"}) {
    for (const Json& rule : ListIn(description, kind)) {
      std::string arn = TextIn(rule, "RuleEvaluationJobArn");
      rows.push_back({TextIn(rule, "RuleConfigurationName"), TextIn(rule, "RuleEvaluationStatus"),
                      TextIn(rule, "StatusDetails"), arn.substr(arn.rfind('/') + 1)});
    }
  }
  return rows;
}

void PrintRules(const std::vector<RuleRow>& rules, Output* out) {
  Table table({{"RULE"}, {"STATUS"}, {"DETAILS", Align::kLeft, /*shrinks=*/true}});
  for (const RuleRow& rule : rules) {
    std::string details = rule.details;
    while (!details.empty() && details.back() == '\n') details.pop_back();
    std::replace(details.begin(), details.end(), '\n', ' ');
    table.Add({rule.name, StatusCell(rule.status), details});
  }
  table.Print(out);
}

bool AnyIssues(const std::vector<RuleRow>& rules) {
  return std::any_of(rules.begin(), rules.end(),
                     [](const RuleRow& rule) { return rule.status == "IssuesFound"; });
}

bool AllOver(const std::vector<RuleRow>& rules) {
  return std::all_of(rules.begin(), rules.end(), [](const RuleRow& rule) {
    return rule.status != "InProgress" && rule.status != "Stopping";
  });
}

}  // namespace warden::cli
