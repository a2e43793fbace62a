#include "warden/dashboard/site/rule_views.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/dashboard/site/places.h"
#include "warden/os/whole_file.h"
#include "warden/rules/catalog/registry.h"
#include "warden/rules/catalog/spec_json.h"
#include "warden/rules/engine/report.h"
#include "warden/rules/finding.h"
#include "warden/watch/summary/incidents.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFindings = 200;  // Of each rule; a page shows no more.
constexpr size_t kMostRules = 1000;
constexpr size_t kMostRuleRecordBytes = 16 << 20;  // Of one record.

Json Empty(const std::string& name) {
  return {{"name", name},
          {"rule", name},
          {"kind", "debug"},
          {"severity", "problem"},
          {"status", "InProgress"},
          {"reason", ""},
          {"unsent", ""},
          {"parameters", Json::object()},
          {"coverage", {{"tensors", 0}, {"steps", 0}}},
          {"findings", Json::array()},
          {"notes", Json::array()},
          {"doc", ""},
          {"shadow", false},
          {"applies", true}};
}

// Only what has the type that it should have is taken over.
void Take(const Json& record, const char* member, Json* view) {
  const Json* value = MemberOf(record, member);
  if (value != nullptr && value->type() == (*view)[member].type()) (*view)[member] = *value;
}

void TakeCoverage(const Json& record, Json* view) {
  for (const char* what : {"tensors", "steps"}) {
    (*view)["coverage"][what] = IntegerOf(MemberOf(record, "coverage", what));
  }
}

void TakeFindings(const Json& record, Json* view) {
  const Json* findings = MemberOf(record, "findings");
  if (findings == nullptr || !findings->is_array()) return;
  for (const Json& json : *findings) {
    if ((*view)["findings"].size() == kMostFindings) return;
    auto finding = rules::FindingFromJson(json);
    if (!finding.ok()) continue;
    // Records of earlier versions have none: the rule knows.
    const auto severity = rules::ParseSeverity(TextOf(&(*view)["severity"]));
    if (!json.contains("severity") && severity) finding.value().severity = *severity;
    (*view)["findings"].push_back(rules::ToJson(finding.value()));
  }
}

// What the catalogue says of the rule's class.
void TakeSpec(Json* view) {
  const auto found = rules::FindRule((*view)["rule"].get<std::string>());
  if (!found.ok()) return;
  const rules::RuleSpec& spec = *found.value().entry->spec;
  (*view)["kind"] = rules::KindName(spec.kind);
  (*view)["severity"] = rules::SeverityName(spec.severity);
  (*view)["doc"] = spec.doc;
}

// Adds what status.json in the folder says; false if there is none that can be used.
bool TakeRecord(const std::string& folder, Json* view) {
  const auto text = os::ReadPlainFile(folder + "/status.json", kMostRuleRecordBytes);
  if (!text) return false;
  const auto record = ParseJson(*text);
  if (!record.ok() || !record.value().is_object()) return false;
  for (const char* member : {"name", "rule", "status", "reason", "parameters", "notes", "shadow"}) {
    Take(record.value(), member, view);
  }
  TakeSpec(view);
  // That of a custom rule is in the record alone.
  if (rules::ParseSeverity(TextOf(MemberOf(record.value(), "severity")))) {
    Take(record.value(), "severity", view);
  }
  TakeCoverage(record.value(), view);
  TakeFindings(record.value(), view);
  return true;
}

// What follows the mark in the details of a rule, up to the end mark or the end of the line.
std::string TextAfter(std::string_view mark, std::string_view end, const std::string& details) {
  const size_t at = details.find(mark);
  if (at == std::string::npos) return "";
  const std::string_view line = std::string_view(details).substr(at + mark.size());
  return std::string(line.substr(0, std::min(line.find('\n'), line.find(end))));
}

// Messages that nobody gets, and data that is missing: the service knows both from the start.
void TakeWarnings(const jobs::RuleJob& rule, Json* view) {
  (*view)["unsent"] = TextAfter("Not sent: ", "\n", rule.details);
  if (rule.status != jobs::RuleStatus::kInProgress) return;
  (*view)["unsent"] = TextAfter("Warning: ", "\n", rule.details);
  const std::string reason = TextAfter("Not evaluated yet: ", ". Warning: ", rule.details);
  if (!reason.empty()) (*view)["reason"] = reason;
}

Json ViewOfJobRule(const service::ServiceOptions& options, const jobs::TrainingJob& job,
                   const jobs::RuleJob& rule) {
  Json view = Empty(rule.Name());
  const std::string named = TextOf(MemberOf(rule.config, "RuleParameters", "rule_to_invoke"));
  if (!named.empty()) view["rule"] = named;
  if (rule.kind == jobs::RuleJob::Kind::kProfiler) view["kind"] = "profiler";
  if (!TakeRecord(RecordsOfRule(options, job, rule), &view)) TakeSpec(&view);
  // What the service knows is later, but it has no word for what was not evaluated.
  const bool not_evaluated =
      rule.status == jobs::RuleStatus::kNoIssuesFound && !rule.details.empty();
  view["status"] = not_evaluated ? "NotEvaluated" : jobs::NameOf(rule.status);
  if (not_evaluated || rule.status == jobs::RuleStatus::kError) view["reason"] = rule.details;
  TakeWarnings(rule, &view);
  return view;
}

Json ViewsOfFolder(const std::string& records) {
  std::error_code error;
  std::map<std::string, Json> views;
  for (fs::directory_iterator it(records, error), end; !error && it != end; it.increment(error)) {
    std::error_code unknown;
    if (views.size() == kMostRules || it->is_symlink(unknown)) continue;  // It may lead anywhere.
    Json view = Empty(it->path().filename().string());
    if (!TakeRecord(it->path().string(), &view)) continue;
    views.emplace(view["name"].get<std::string>(), std::move(view));
  }
  Json list = Json::array();
  for (auto& [name, view] : views) list.push_back(std::move(view));
  return list;
}

}  // namespace

Json RuleViews(const service::ServiceOptions& options, const RunPlaces& places) {
  if (!places.job) return ViewsOfFolder(places.rule_records);
  Json list = Json::array();
  for (const jobs::RuleJob& rule : places.job->rules) {
    list.push_back(ViewOfJobRule(options, *places.job, rule));
  }
  return list;
}

void EndRules(Json* views) {
  for (Json& view : *views) {
    if (view["status"] != "InProgress") continue;
    view["status"] = view["findings"].empty() ? "Stopped" : "IssuesFound";
  }
}

Json CountRules(const Json& views) {
  std::map<std::string, int64_t> by_status;
  int64_t no_data = 0;
  for (const Json& view : views) {
    const std::string status = view["status"];
    ++by_status[status];
    if (status == "NotEvaluated" && IsTrue(&view["applies"]) && !IsTrue(&view["shadow"])) ++no_data;
  }
  return {{"total", views.size()},
          {"issues", by_status["IssuesFound"]},
          {"not_evaluated", by_status["NotEvaluated"]},
          {"no_data", no_data},
          {"errors", by_status["Error"]},
          {"running", by_status["InProgress"]}};
}

Json IncidentsOf(const Json& views, watch::MachineLog* machine) {
  std::vector<rules::RuleReport> reports;
  for (const Json& view : views) {
    rules::RuleReport report;
    report.name = TextOf(&view["name"]);
    report.rule = TextOf(&view["rule"]);
    report.doc = TextOf(&view["doc"]);
    report.shadow = IsTrue(&view["shadow"]);
    for (const Json& json : view["findings"]) {
      auto finding = rules::FindingFromJson(json);
      if (finding.ok()) report.findings.push_back(std::move(finding).value());
    }
    reports.push_back(std::move(report));
  }
  return watch::ToJson(watch::FindIncidents(reports, machine));
}

Json KeptIncidents(const jobs::TrainingJob& job) {
  Json list = Json::array();
  for (const rules::Severity severity :
       {rules::Severity::kProblem, rules::Severity::kWarning, rules::Severity::kNote}) {
    for (const jobs::JobIncident& incident : job.incidents) {
      const std::string is = TextOf(MemberOf(incident.json, "severity"));
      if (is == rules::SeverityName(severity)) list.push_back(incident.json);
    }
  }
  return list;
}

Json CountIncidents(const Json& incidents) {
  Json counts{{"problem", 0}, {"warning", 0}, {"note", 0}};
  for (const Json& incident : incidents) {
    Json& count = counts[incident["severity"].get<std::string>()];
    count = IntegerOf(&count) + 1;
  }
  return counts;
}

int64_t CountFindings(const Json& views) {
  int64_t count = 0;
  for (const Json& view : views) count += static_cast<int64_t>(view["findings"].size());
  return count;
}

}  // namespace warden::dashboard
