#include "warden/dashboard/site/places.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "warden/format/layout.h"
#include "warden/format/profiler_layout.h"
#include "warden/net/digest.h"
#include "warden/os/open_inside.h"
#include "warden/rules/engine/records.h"
#include "warden/s3/object_path.h"
#include "warden/trial/run_trash.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 8;
constexpr size_t kMostFolders = 20'000;

// The folder of an output; empty where there is none, or where it is not on this machine.
std::string LocalPath(const service::ServiceOptions& options, const std::string& uri) {
  constexpr std::string_view kFile = "file://";
  if (uri.starts_with(kFile)) return uri.substr(kFile.size());
  if (uri.empty() || uri.starts_with('/')) return uri;
  const auto name = s3::ParseS3Uri(uri);
  if (!name.ok()) return "";
  const auto path = s3::PathOfObject(service::DataLayout(options.data).Objects(), name.value());
  return path.ok() ? path.value() : "";
}

// What of a run is not in its folder, where links may lead, is not part of it. Text and not paths,
// whose parts would be taken apart: there may be ten thousand runs to look at.
bool HasFolder(const std::string& run, std::string_view key) {
  return os::OpenInside(run + "/", key, O_PATH | O_DIRECTORY).ok();
}

bool LeadsOut(const std::string& run, std::string_view key) {
  return !os::OpenInside(run + "/", key, O_PATH | O_DIRECTORY).ok() && errno == ELOOP;
}

// Or will have: `warden run` begins with a folder of its own.
bool HasTensors(const std::string& run, const std::string& below) {
  return HasFolder(run, below + "index") || HasFolder(run, below + "collections") ||
         HasFolder(run, fmt::format("{}{}", below, format::kOwnPrefix));
}

bool HasProfile(const std::string& run) {
  return HasFolder(run, fmt::format("{}/system", format::kProfilerOutput)) ||
         HasFolder(run, fmt::format("{}/framework", format::kProfilerOutput));
}

class Finder {
 public:
  explicit Finder(FoundRuns* found) : found_(found) {}

  void Look(const std::string& folder, int depth) {
    if (looked_ >= kMostFolders) return;
    if (++looked_ == kMostFolders) {
      found_->problems.push_back(fmt::format(
          "more than {} folders; runs in the remaining folders are not shown", kMostFolders));
      return;
    }
    if (auto run = RunIn(folder)) {
      found_->runs.push_back(std::move(*run));
      return;
    }
    std::error_code error;
    std::vector<std::string> below;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      std::error_code gone;
      if (!it->is_directory(gone) || it->is_symlink(gone)) continue;
      if (it->path().filename() == trial::kTrashFolder) {
        found_->with_trash.push_back(folder);
      } else {
        below.push_back(it->path().string());
      }
    }
    if (error) found_->problems.push_back(folder + ": " + error.message());
    if (depth == 0) return;
    std::sort(below.begin(), below.end());
    for (const std::string& path : below) Look(path, depth - 1);
  }

 private:
  FoundRuns* const found_;
  size_t looked_ = 0;
};

}  // namespace

RunPlaces PlacesOfJob(const service::ServiceOptions& options, const jobs::TrainingJob& job) {
  RunPlaces places;
  places.id = places.name = job.name;
  places.folder = service::DataLayout(options.data).Job(job.name);
  places.tensors = LocalPath(options, job.DebugOutput());
  places.profile = LocalPath(options, job.ProfilerOutput());
  for (const jobs::RuleJob& rule : job.rules) {
    const std::string output = LocalPath(options, job.RuleOutput(rule));
    if (output.empty()) continue;
    places.reports.push_back(output);
    if (fs::path(output).filename() == rule.Name() && places.rule_records.empty()) {
      places.rule_records = fs::path(output).parent_path().string();
    }
  }
  places.job = job;
  return places;
}

std::string RecordsOfRule(const service::ServiceOptions& options, const jobs::TrainingJob& job,
                          const jobs::RuleJob& rule) {
  const std::string output = LocalPath(options, job.RuleOutput(rule));
  if (output.empty()) return output;
  const fs::path path(output);
  return (path.filename() == rule.Name() ? path : path / rule.Name()).string();
}

// Job names have no dot, so that this is never one.
std::string RunIdOf(const std::string& folder) {
  std::string name = fs::path(folder).filename().string();
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_'; }, '-');
  constexpr size_t kDigits = 8;
  return name + "." + net::Hex(net::Sha256(folder)).substr(0, kDigits);
}

std::optional<RunPlaces> RunIn(const std::string& folder) {
  RunPlaces places;
  if (HasTensors(folder, "")) places.tensors = folder;
  if (HasTensors(folder, "debug-output/")) places.tensors = folder + "/debug-output";
  const std::string profile = fmt::format("{}/{}", folder, format::kProfilerOutput);
  if (HasProfile(folder)) places.profile = profile;
  if (places.tensors.empty() && places.profile.empty()) return std::nullopt;
  places.id = RunIdOf(folder);
  places.name = fs::path(folder).filename().string();
  places.folder = folder;
  // A live run may get either later.
  if (places.tensors.empty()) places.tensors = folder;
  if (places.profile.empty()) places.profile = profile;
  const fs::path records = rules::RecordsFolder(places.tensors);
  if (!LeadsOut(records.parent_path(), records.filename().native())) {
    places.rule_records = records;
    places.reports = {places.rule_records};
  }
  return places;
}

FoundRuns FindRuns(const std::vector<std::string>& folders) {
  FoundRuns found;
  Finder finder(&found);
  for (const std::string& folder : folders) finder.Look(folder, kDeepest);
  // A folder that was given twice, or lies below another, is one.
  std::sort(found.runs.begin(), found.runs.end(),
            [](const RunPlaces& a, const RunPlaces& b) { return a.folder < b.folder; });
  const auto same = [](const RunPlaces& a, const RunPlaces& b) { return a.folder == b.folder; };
  found.runs.erase(std::unique(found.runs.begin(), found.runs.end(), same), found.runs.end());
  auto& trash = found.with_trash;
  std::sort(trash.begin(), trash.end());
  trash.erase(std::unique(trash.begin(), trash.end()), trash.end());
  return found;
}

}  // namespace warden::dashboard
