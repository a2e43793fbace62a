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
#include "warden/rules/finding.h"

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
          {"status", "InProgress"},
          {"reason", ""},
          {"parameters", Json::object()},
          {"coverage", {{"tensors", 0}, {"steps", 0}}},
          {"findings", Json::array()},
          {"notes", Json::array()},
          {"doc", ""}};
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
    if (const auto finding = rules::FindingFromJson(json); finding.ok()) {
      (*view)["findings"].push_back(rules::ToJson(finding.value()));
    }
  }
}

// What the catalogue says of the rule's class.
void TakeSpec(Json* view) {
  const auto found = rules::FindRule((*view)["rule"].get<std::string>());
  if (!found.ok()) return;
  const rules::RuleSpec& spec = *found.value().entry->spec;
  (*view)["kind"] = rules::KindName(spec.kind);
  (*view)["doc"] = spec.doc;
}

// Adds what status.json in the folder says; false if there is none that can be used.
bool TakeRecord(const std::string& folder, Json* view) {
  const auto text = os::ReadPlainFile(folder + "/status.json", kMostRuleRecordBytes);
  if (!text) return false;
  const auto record = ParseJson(*text);
  if (!record.ok() || !record.value().is_object()) return false;
  for (const char* member : {"name", "rule", "status", "reason", "parameters", "notes"}) {
    Take(record.value(), member, view);
  }
  TakeCoverage(record.value(), view);
  TakeFindings(record.value(), view);
  return true;
}

Json ViewOfJobRule(const service::ServiceOptions& options, const jobs::TrainingJob& job,
                   const jobs::RuleJob& rule) {
  Json view = Empty(rule.Name());
  const std::string named = TextOf(MemberOf(rule.config, "RuleParameters", "rule_to_invoke"));
  if (!named.empty()) view["rule"] = named;
  if (rule.kind == jobs::RuleJob::Kind::kProfiler) view["kind"] = "profiler";
  TakeRecord(RecordsOfRule(options, job, rule), &view);
  TakeSpec(&view);
  // What the service knows is later, but it has no word for what was not evaluated.
  const bool not_evaluated =
      rule.status == jobs::RuleStatus::kNoIssuesFound && !rule.details.empty();
  view["status"] = not_evaluated ? "NotEvaluated" : jobs::NameOf(rule.status);
  if (not_evaluated || rule.status == jobs::RuleStatus::kError) view["reason"] = rule.details;
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
    TakeSpec(&view);
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

Json CountRules(const Json& views) {
  std::map<std::string, int64_t> by_status;
  for (const Json& view : views) ++by_status[view["status"].get<std::string>()];
  return {{"total", views.size()},
          {"issues", by_status["IssuesFound"]},
          {"not_evaluated", by_status["NotEvaluated"]},
          {"errors", by_status["Error"]},
          {"running", by_status["InProgress"]}};
}

int64_t CountFindings(const Json& views) {
  int64_t count = 0;
  for (const Json& view : views) count += static_cast<int64_t>(view["findings"].size());
  return count;
}

}  // namespace warden::dashboard
