#include "warden/dashboard/metrics/finding_times.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "warden/base/json.h"
#include "warden/os/whole_file.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = 16 << 20;
constexpr size_t kMostRules = 1000;
constexpr size_t kMostFindings = 2000;  // Of one rule.

std::string TextOf(const fs::path& path) {
  return os::ReadPlainFile(path, kMostBytes).value_or("");
}

class OfRule {
 public:
  explicit OfRule(std::string rule) : rule_(std::move(rule)) {}

  void AddLines(std::string_view text) {
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      const auto json = ParseJson(text.substr(0, end));
      if (json.ok()) Add(json.value());
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  void AddStatus(std::string_view text) {
    const auto json = ParseJson(text);
    if (!json.ok() || !json.value().is_object()) return;
    const auto findings = json.value().find("findings");
    if (findings == json.value().end() || !findings->is_array()) return;
    for (const Json& one : *findings) Add(one);
  }

  std::vector<RecordedFinding>& findings() { return findings_; }

 private:
  void Add(const Json& json) {
    if (findings_.size() >= kMostFindings) return;
    auto finding = rules::FindingFromJson(json);
    if (!finding.ok() || !ids_.insert(finding.value().id).second) return;
    findings_.push_back({rule_, std::move(finding.value())});
  }

  const std::string rule_;
  std::vector<RecordedFinding> findings_;
  std::set<int64_t> ids_;
};

}  // namespace

std::vector<RecordedFinding> ReadFindings(const std::string& rule_records) {
  std::vector<RecordedFinding> all;
  if (rule_records.empty()) return all;
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator at(rule_records, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code unknown;
    const bool folder = at->symlink_status(unknown).type() == fs::file_type::directory;
    if (folder && folders.size() < kMostRules) folders.push_back(at->path());
  }
  std::sort(folders.begin(), folders.end());
  for (const fs::path& folder : folders) {
    OfRule rule(folder.filename());
    rule.AddLines(TextOf(folder / "firings.jsonl"));
    rule.AddStatus(TextOf(folder / "status.json"));
    std::move(rule.findings().begin(), rule.findings().end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace warden::dashboard
