#include "warden/rules/engine/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "warden/base/json.h"
#include "warden/base/json_members.h"

namespace warden::rules {
namespace {

constexpr RuleStatus kStatuses[] = {RuleStatus::kInProgress,  RuleStatus::kNoIssuesFound,
                                    RuleStatus::kIssuesFound, RuleStatus::kNotEvaluated,
                                    RuleStatus::kError,       RuleStatus::kStopping,
                                    RuleStatus::kStopped};

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
  RuleReport report{rule.config.name,
                    std::string(rule.spec->name),
                    RuleStatus::kInProgress,
                    "",
                    rule.params.texts(),
                    rule.verdicts.coverage(),
                    rule.verdicts.findings(),
                    rule.verdicts.notes(),
                    std::string(rule.spec->doc),
                    rule.spec->severity,
                    rule.config.shadow};
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
  Json json = {
      {"name", report.name},
      {"rule", report.rule},
      {"severity", SeverityName(report.severity)},
      {"status", StatusName(report.status)},
      {"reason", report.reason},
      {"parameters", std::move(parameters)},
      {"coverage", {{"tensors", report.coverage.tensors}, {"steps", report.coverage.steps}}},
      {"findings", std::move(findings)},
      {"notes", report.notes}};
  if (report.shadow) json["shadow"] = true;
  return json;
}

Result<RuleReport> RuleReportFromJson(const Json& json) {
  RuleReport report;
  report.name = TextOf(MemberOf(json, "name"));
  report.rule = TextOf(MemberOf(json, "rule"));
  const std::string status = TextOf(MemberOf(json, "status"));
  const auto* const known = std::find_if(std::begin(kStatuses), std::end(kStatuses),
                                         [&](RuleStatus one) { return StatusName(one) == status; });
  if (report.name.empty() || report.rule.empty() || known == std::end(kStatuses)) {
    return Status(Code::kCorrupt, "expected 'name', 'rule' and a 'status'");
  }
  report.status = *known;
  report.reason = TextOf(MemberOf(json, "reason"));
  report.severity = ParseSeverity(TextOf(MemberOf(json, "severity"))).value_or(Severity::kProblem);
  report.shadow = IsTrue(MemberOf(json, "shadow"));
  const Json* parameters = MemberOf(json, "parameters");
  if (parameters != nullptr && parameters->is_object()) {
    for (const auto& [name, text] : parameters->items()) {
      if (text.is_string()) report.parameters.emplace_back(name, text.get<std::string>());
    }
  }
  report.coverage = {IntegerOf(MemberOf(json, "coverage", "tensors")),
                     IntegerOf(MemberOf(json, "coverage", "steps"))};
  const Json* findings = MemberOf(json, "findings");
  if (findings != nullptr && findings->is_array()) {
    for (const Json& one : *findings) {
      if (auto finding = FindingFromJson(one); finding.ok()) {
        report.findings.push_back(std::move(finding.value()));
      }
    }
  }
  return report;
}

}  // namespace warden::rules
