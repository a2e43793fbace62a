#include "warden/watch/baseline_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "warden/os/open_inside.h"
#include "warden/rules/engine/records.h"
#include "warden/trial/find_runs.h"
#include "warden/trial/run_label.h"
#include "warden/trial/run_record.h"

namespace warden::watch {
namespace {

namespace fs = std::filesystem;

bool FoundAProblem(const rules::RuleReport& report) {
  return !report.shadow &&
         std::any_of(report.findings.begin(), report.findings.end(), [](const auto& finding) {
           return finding.severity == rules::Severity::kProblem;
         });
}

// How sure it is that a run was good.
enum class Goodness : uint8_t { kNone, kNoProblemFound, kLabeled };

Goodness GoodnessOf(const std::string& run, const trial::RunRecord& record) {
  const auto label = trial::ReadRunLabel(run);
  const auto index = os::StatInside(run, "index");
  if (!label.ok() || !index || !S_ISDIR(index->st_mode)) return Goodness::kNone;
  if (label.value()) return label.value()->good ? Goodness::kLabeled : Goodness::kNone;
  if (record.exit_code != 0) return Goodness::kNone;
  const auto reports = rules::ReadRecordedReports(run);
  return std::any_of(reports.begin(), reports.end(), FoundAProblem) ? Goodness::kNone
                                                                    : Goodness::kNoProblemFound;
}

fs::path FolderAbove(const std::string& run) {
  std::error_code error;
  const fs::path absolute = fs::absolute(run, error).lexically_normal();
  const fs::path folder = absolute.has_filename() ? absolute : absolute.parent_path();
  return folder.parent_path();
}

bool IsSameFolder(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

// Runs of different scripts have nothing in common. Those of unknown ones may.
Status CheckSameScript(const std::vector<std::string>& runs) {
  std::string first_run, first_script;
  for (const std::string& run : runs) {
    const auto record = trial::ReadRunRecord(run);
    const std::string script = record ? record->Script() : "";
    if (script.empty()) continue;
    if (first_script.empty()) {
      first_run = run;
      first_script = script;
    } else if (!trial::IsSameScript(script, first_script)) {
      return Status(Code::kInvalid,
                    fmt::format("{} ran {} and {} ran {}; expected runs of one script", first_run,
                                first_script, run, script));
    }
  }
  return Status();
}

}  // namespace

Result<GoodRunSearch> SearchFor(const std::string& run) {
  const auto record = trial::ReadRunRecord(run);
  if (!record || record->command.empty()) {
    return Status(Code::kInvalid,
                  fmt::format("{} does not say which command wrote it, so no good run of the same "
                              "script can be found; name a baseline file or a run",
                              run));
  }
  return GoodRunSearch{FolderAbove(run).string(), record->Script(), run};
}

Result<std::string> FindLastGoodRun(const GoodRunSearch& search) {
  std::string newest;
  std::pair<Goodness, double> newest_rank(Goodness::kNone, 0);
  size_t same_script = 0;
  for (const std::string& run : trial::FindRuns(search.folder)) {
    if (!search.except.empty() && IsSameFolder(run, search.except)) continue;
    const auto record = trial::ReadRunRecord(run);
    if (!record || !trial::IsSameScript(record->Script(), search.script)) continue;
    ++same_script;
    const std::pair rank(GoodnessOf(run, *record), record->started.value_or(0));
    if (rank.first == Goodness::kNone || (!newest.empty() && rank <= newest_rank)) continue;
    newest = run;
    newest_rank = rank;
  }
  if (!newest.empty()) return newest;
  return Status(Code::kNotFound,
                fmt::format("no good run of {} in {} ({} of this script looked at); label one with "
                            "'warden label RUN good'",
                            search.script, search.folder, same_script));
}

Result<std::vector<std::string>> GoodRunsAmong(const std::vector<std::string>& names) {
  std::vector<std::string> good;
  for (const std::string& name : names) {
    const std::vector<std::string> runs = trial::FindRuns(name);
    if (runs.empty()) return Status(Code::kNotFound, fmt::format("no runs in {}", name));
    const bool named = runs.size() == 1 && IsSameFolder(runs.front(), name);
    const size_t before = good.size();
    for (const std::string& run : runs) {
      const auto label = trial::ReadRunLabel(run);
      if (!label.ok()) return label.status();
      const bool labeled = label.value().has_value();
      if (named && labeled && !label.value()->good) {
        return Status(Code::kInvalid,
                      fmt::format("{} is labeled bad; expected good runs to learn from", run));
      }
      if (named || (labeled && label.value()->good)) good.push_back(run);
    }
    if (good.size() == before) {
      return Status(Code::kInvalid,
                    fmt::format("none of the {} runs in {} is labeled good; use 'warden label RUN "
                                "good', or name the runs",
                                runs.size(), name));
    }
  }
  std::sort(good.begin(), good.end());
  good.erase(std::unique(good.begin(), good.end()), good.end());
  if (Status status = CheckSameScript(good); !status.ok()) return status;
  return good;
}

void AddBaselineRule(const std::string& baseline, std::vector<rules::RuleConfig>* configs) {
  rules::RuleConfig config{"OutsideBaseline", "OutsideBaseline", ""};
  config.params["baseline"] = baseline;
  configs->push_back(std::move(config));
}

Status AddBaselineRuleFor(const std::string& run, const std::string& baseline,
                          std::vector<rules::RuleConfig>* configs) {
  if (baseline.empty()) return Status();
  if (baseline != kLastGood) {
    AddBaselineRule(baseline, configs);
    return Status();
  }
  const auto search = SearchFor(run);
  if (!search.ok()) return search.status();
  const auto good = FindLastGoodRun(search.value());
  if (!good.ok()) return good.status();
  AddBaselineRule(good.value(), configs);
  return Status();
}

}  // namespace warden::watch
