#include "warden/dashboard/site/progress.h"

#include <sys/stat.h>

#include <filesystem>
#include <set>
#include <vector>

#include "warden/format/layout.h"

namespace warden::dashboard {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kNanoseconds = 1'000'000'000;
constexpr double kRateWindow = 60;

std::optional<int64_t> ChangedNs(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return std::nullopt;
  return info.st_mtim.tv_sec * kNanoseconds + info.st_mtim.tv_nsec;
}

std::optional<double> ChangedSeconds(const std::string& path) {
  const auto changed = ChangedNs(path);
  if (!changed) return std::nullopt;
  return static_cast<double>(*changed) / kNanoseconds;
}

std::vector<std::string> NamesIn(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  return names;
}

// Of the last minute's steps, by files that lie ever further back.
std::optional<double> RateOf(const std::string& folder, Step last, double last_time) {
  std::map<Step, std::string> files;
  for (const std::string& name : NamesIn(folder)) {
    if (const auto parsed = format::ParseStepFileName(name)) files[parsed->step] = name;
  }
  std::optional<double> rate;
  int distance = 1;
  auto file = files.rbegin();
  while (true) {
    for (int i = 0; i < distance && file != files.rend(); ++i) ++file;
    if (file == files.rend()) break;
    const auto time = ChangedSeconds(folder + "/" + file->second);
    if (!time || last_time - *time > kRateWindow) break;
    if (last_time > *time) rate = static_cast<double>(last - file->first) / (last_time - *time);
    distance *= 2;
  }
  return rate;
}

}  // namespace

ProgressReader::Folder ProgressReader::Read(const std::string& path, int64_t changed_ns) const {
  Folder folder;
  folder.changed_ns = changed_ns;
  std::set<Step> steps;
  for (std::string& name : NamesIn(path)) {
    const auto parsed = format::ParseStepFileName(name);
    if (!parsed) continue;
    steps.insert(parsed->step);
    if (folder.first.empty() || name < folder.first) folder.first = name;
    if (folder.last.empty() || name > folder.last) folder.last = std::move(name);
  }
  folder.steps = static_cast<int64_t>(steps.size());
  return folder;
}

RunProgress ProgressReader::Now() {
  const std::lock_guard lock(mutex_);
  const std::string index = run_ + "/" + std::string(format::kIndexPrefix);
  RunProgress progress;
  std::string first, last, last_folder;
  std::set<std::string> names;
  for (std::string& name : NamesIn(index)) names.insert(std::move(name));
  for (const std::string& name : names) {
    const auto changed = ChangedNs(index + name);
    if (!changed) continue;
    Folder& folder = folders_[name];
    if (folder.changed_ns != *changed) folder = Read(index + name, *changed);
    if (folder.steps == 0) continue;
    progress.steps += folder.steps;
    if (first.empty()) first = index + name + "/" + folder.first;
    last_folder = index + name;
    last = folder.last;
  }
  if (last.empty()) return progress;
  progress.last_step = format::ParseStepFileName(last)->step;
  progress.first_time = ChangedSeconds(first);
  progress.last_time = ChangedSeconds(last_folder + "/" + last);
  if (progress.last_time) {
    progress.rate = RateOf(last_folder, *progress.last_step, *progress.last_time);
  }
  return progress;
}

}  // namespace warden::dashboard
