#include "warden/rules/engine/report.h"

#include <fmt/format.h>

#include "warden/base/json.h"

namespace warden::rules {
namespace {

std::string WhyNotEvaluated(const RuleState& rule, bool ever_matched) {
  if (!rule.verdicts.too_little().empty()) return rule.verdicts.too_little();
  if (rule.profiler != nullptr) return "no profiling data was saved; add --profile timeline";
  if (!ever_matched) return WhyNothingMatched(rule.inputs);
  const std::string skipped = rule.verdicts.WhySkipped();
  return skipped.empty() ? "none of the saved tensors could be checked"
                         : fmt::format("all matching tensors were skipped: {}", skipped);
}

}  // namespace

std::string_view StatusName(RuleStatus status) {
  switch (status) {
    case RuleStatus::kInProgress: return "InProgress";
    case RuleStatus::kNoIssuesFound: return "NoIssuesFound";
    case RuleStatus::kIssuesFound: return "IssuesFound";
    case RuleStatus::kNotEvaluated: return "NotEvaluated";
    case RuleStatus::kError: return "Error";
    case RuleStatus::kStopping: return "Stopping";
    case RuleStatus::kStopped: return "Stopped";
  }
  return "Error";
}

RuleReport ReportOf(const RuleState& rule, bool ever_matched, bool ended) {
  RuleReport report{rule.config.name,           std::string(rule.spec->name),
                    RuleStatus::kInProgress,    "",
                    rule.params.texts(),        rule.verdicts.coverage(),
                    rule.verdicts.findings(),   rule.verdicts.notes(),
                    std::string(rule.spec->doc)};
  if (!rule.error.ok()) {
    report.status = RuleStatus::kError;
    report.reason = rule.error.message();
  } else if (!report.findings.empty()) {
    report.status = RuleStatus::kIssuesFound;
  } else if (!ended && !rule.finished) {
    report.status = RuleStatus::kInProgress;
  } else if (report.coverage.steps > 0 || (rule.inputs.empty() && rule.profiler == nullptr)) {
    report.status = RuleStatus::kNoIssuesFound;
  } else {
    report.status = RuleStatus::kNotEvaluated;
    report.reason = WhyNotEvaluated(rule, ever_matched);
  }
  return report;
}

Json ToJson(const RuleReport& report) {
  Json parameters = Json::object();
  for (const auto& [name, text] : report.parameters) parameters[name] = text;
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(ToJson(finding));
  return {{"name", report.name},
          {"rule", report.rule},
          {"status", StatusName(report.status)},
          {"reason", report.reason},
          {"parameters", std::move(parameters)},
          {"coverage", {{"tensors", report.coverage.tensors}, {"steps", report.coverage.steps}}},
          {"findings", std::move(findings)},
          {"notes", report.notes}};
}

}  // namespace warden::rules
