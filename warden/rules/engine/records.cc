#include "warden/rules/engine/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "warden/base/json.h"
#include "warden/base/strings.h"

namespace warden::rules {
namespace {

constexpr std::string_view kStatus = "/status.json";
constexpr std::string_view kFirings = "/firings.jsonl";

double SecondsSince1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

constexpr std::string_view kShadowFolder = "shadow/";
constexpr uint64_t kMostRecordBytes = 64 << 20;

// A user's name for a rule as a folder's.
std::string FolderOf(std::string_view rule, bool shadow) {
  std::string folder(rule);
  std::replace_if(
      folder.begin(), folder.end(), [](char c) { return c == '/' || c == '\\' || c < ' '; }, '_');
  if (folder == "." || folder == ".." || folder.ends_with(".tmp")) folder += '_';
  return shadow ? std::string(kShadowFolder) + folder : folder;
}

std::string ParametersOf(const Json& report) {
  const auto member = report.find("parameters");
  return member == report.end() ? "" : member->dump();
}

}  // namespace

std::string RecordsFolder(std::string_view run) {
  // Of "s3://bucket/run" only what follows is a path.
  const size_t scheme = run.find("://");
  const std::string_view front = run.substr(0, scheme == run.npos ? 0 : scheme + 3);
  run.remove_prefix(front.size());
  const std::filesystem::path path = std::filesystem::path(run).lexically_normal();
  const std::filesystem::path folder = path.has_filename() ? path : path.parent_path();
  const bool beside = folder.filename() == "debug-output";
  return std::string(front) + ((beside ? folder.parent_path() : folder) / "rule-output").string();
}

std::vector<RuleReport> ReadRecordedReports(std::string_view run) {
  std::vector<RuleReport> reports;
  // A store of the records alone would begin beyond a link that stands in their place.
  std::string folder = RecordsFolder(run);
  const std::string prefix = folder.substr(folder.rfind('/') + 1) + "/";
  folder.resize(folder.size() - (prefix.size() - 1));
  const auto store = storage::OpenStore(folder);
  const auto keys = store.ok() ? store.value()->List(prefix) : store.status();
  if (!keys.ok()) return reports;
  for (const std::string& key : keys.value()) {
    if (!key.ends_with(kStatus)) continue;
    const auto file = store.value()->Open(key);
    if (!file.ok() || file.value()->size() > kMostRecordBytes) continue;
    const auto text = file.value()->Read(0, file.value()->size());
    const auto json = text.ok() ? ParseJson(AsText(text.value().bytes)) : text.status();
    if (!json.ok()) continue;
    auto report = RuleReportFromJson(json.value());
    if (report.ok()) reports.push_back(std::move(report.value()));
  }
  std::sort(reports.begin(), reports.end(), [](const RuleReport& a, const RuleReport& b) {
    return std::tie(a.name, a.shadow) < std::tie(b.name, b.shadow);
  });
  return reports;
}

Records::Key Records::KeyOf(const Finding& finding) {
  // Evaluated again, what was found at a moment begins a moment earlier or later.
  const Step step = finding.time_s == 0 ? finding.step : -1;
  return {step, finding.mode, finding.tensor, finding.worker};
}

Result<Records> Records::Open(std::string_view folder) {
  Records records;
  auto store = storage::OpenStore(folder);
  if (!store.ok()) return store.status();
  records.store_ = std::move(store.value());
  const auto keys = records.store_->List("");
  if (!keys.ok()) return keys.status();
  for (const std::string& key : keys.value()) {
    if (key.ends_with(kStatus)) records.Load(key.substr(0, key.size() - kStatus.size()));
  }
  return records;
}

void Records::Load(const std::string& rule) {
  OfRule& of_rule = rules_[rule];
  const auto status = store_->ReadAll(rule + std::string(kStatus));
  const auto json = status.ok() ? ParseJson(AsText(status.value().bytes)) : status.status();
  if (json.ok()) of_rule.parameters = ParametersOf(json.value());
  const auto firings = store_->ReadAll(rule + std::string(kFirings));
  if (!firings.ok()) return;
  for (const std::string& line : SplitTrimmed(AsText(firings.value().bytes), '\n')) {
    const auto parsed = ParseJson(line);
    if (!parsed.ok()) continue;
    auto finding = FindingFromJson(parsed.value());
    if (!finding.ok()) continue;
    if (of_rule.keys.insert(KeyOf(finding.value())).second) {
      of_rule.findings.push_back(std::move(finding.value()));
    }
  }
}

void Records::Begin(const std::vector<RuleReport>& reports) {
  for (const RuleReport& report : reports) {
    const std::string parameters = ParametersOf(ToJson(report));
    OfRule& of_rule = rules_[FolderOf(report.name, report.shadow)];
    if (of_rule.parameters != parameters) of_rule = {{}, {}, parameters, /*changed=*/true};
  }
}

bool Records::Add(const std::string& rule, const Finding& finding, bool shadow) {
  OfRule& of_rule = rules_[FolderOf(rule, shadow)];
  if (!of_rule.keys.insert(KeyOf(finding)).second) return false;
  of_rule.findings.push_back(finding);
  of_rule.changed = true;
  return true;
}

Status Records::Write(std::vector<RuleReport>* reports, Step last_step) {
  for (RuleReport& report : *reports) {
    const std::string folder = FolderOf(report.name, report.shadow);
    OfRule& of_rule = rules_[folder];
    std::set<Key> found;
    for (const Finding& finding : report.findings) found.insert(KeyOf(finding));
    for (const Finding& finding : of_rule.findings) {
      if (!found.contains(KeyOf(finding))) report.findings.push_back(finding);
    }
    if (report.status != RuleStatus::kError && !report.findings.empty()) {
      report.status = RuleStatus::kIssuesFound;
      report.reason.clear();
    }
    if (store_ == nullptr) continue;
    if (of_rule.changed) {
      std::string lines;
      for (const Finding& finding : of_rule.findings) lines += ToJson(finding).dump() + "\n";
      const Status put = store_->Put(folder + std::string(kFirings), AsBytes(lines));
      if (!put.ok()) return put;
      of_rule.changed = false;
    }
    Json json = ToJson(report);
    json["last_step"] = last_step;
    json["time"] = SecondsSince1970();
    const Status put = store_->Put(folder + std::string(kStatus), AsBytes(json.dump() + "\n"));
    if (!put.ok()) return put;
  }
  return Status();
}

}  // namespace warden::rules
