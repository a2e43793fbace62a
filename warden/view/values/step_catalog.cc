#include "warden/view/values/step_catalog.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "warden/base/strings.h"
#include "warden/format/layout.h"
#include "warden/storage/local_folder.h"

namespace warden::view {
namespace {

constexpr std::string_view kJson = ".json";
constexpr std::string_view kCsv = ".csv";
// A folder's time of change is that of a coarse clock: two changes may have the same.
constexpr int64_t kSettledAfterNs = 2'000'000'000;

int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

int64_t ChangedNs(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return 0;
  return int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
}

// The key of a step's index file without its ending.
std::string StemOf(Step step, std::string_view worker) {
  std::string key = format::IndexFileKey(step, worker);
  key.resize(key.size() - kJson.size());
  return key;
}

uint32_t Intern(const std::string& name, std::map<std::string, uint32_t>* ids,
                std::vector<std::string>* names) {
  const auto [known, is_new] = ids->try_emplace(name, static_cast<uint32_t>(names->size()));
  if (is_new) names->push_back(name);
  return known->second;
}

}  // namespace

void StepCatalog::AddFile(const std::string& key, std::map<std::string, uint32_t>* ids,
                          Folder* folder) {
  const auto name = format::ParseStepFileName(key);
  if (!name) return;
  const std::string stem = StemOf(name->step, name->worker);
  if (!key.starts_with(stem)) return;
  const std::string_view ending = std::string_view(key).substr(stem.size());
  if (ending != kJson && ending != kCsv) return;
  auto& entries = folder->entries;
  const Entry entry{name->step, Intern(name->worker, ids, &folder->workers), ending == kCsv};
  const bool again = !entries.empty() && entries.back().step == entry.step &&
                     entries.back().worker == entry.worker;
  if (again) {
    entries.back() = entry;
    return;
  }
  if (entries.empty() || entries.back().step != entry.step) {
    folder->starts.push_back(static_cast<uint32_t>(entries.size()));
  }
  entries.push_back(entry);
}

Result<StepCatalog::FolderPtr> StepCatalog::ReadOne(const std::string& root,
                                                    const std::string& name,
                                                    const FolderPtr& before) {
  const std::string key = std::string(format::kIndexPrefix) + name;
  auto folder = std::make_shared<Folder>();
  folder->name = name;
  folder->changed_ns = ChangedNs(root + key);
  if (before && before->settled && before->changed_ns == folder->changed_ns) return before;
  folder->settled = NowNs() - folder->changed_ns > kSettledAfterNs;
  const auto files = storage::ReadFolder(root, key);
  if (!files.ok() && files.status().code() != Code::kNotFound) return files.status();
  if (files.ok()) {
    std::map<std::string, uint32_t> ids;
    for (const std::string& file : files.value()) AddFile(key + file, &ids, folder.get());
  }
  return FolderPtr(std::move(folder));
}

StepCatalog::FolderPtr StepCatalog::FolderNamed(const std::string& name) const {
  const auto number = ParseInt(std::string_view(name).substr(0, name.size() - 1));
  const auto found = std::lower_bound(
      folders_.begin(), folders_.end(), number, [](const FolderPtr& folder, const auto& wanted) {
        return ParseInt(std::string_view(folder->name).substr(0, folder->name.size() - 1)) < wanted;
      });
  return found != folders_.end() && (*found)->name == name ? *found : nullptr;
}

Result<std::shared_ptr<const StepCatalog>> StepCatalog::Take(
    const std::string& root, const std::shared_ptr<const StepCatalog>& before) {
  auto names = storage::ReadFolder(root, std::string(format::kIndexPrefix));
  auto catalog = std::make_shared<StepCatalog>();
  if (names.status().code() == Code::kNotFound) return std::shared_ptr<const StepCatalog>(catalog);
  if (!names.ok()) return names.status();
  for (const std::string& name : names.value()) {
    if (!name.ends_with('/')) continue;
    auto folder = ReadOne(root, name, before ? before->FolderNamed(name) : nullptr);
    if (!folder.ok()) return folder.status();
    if (!folder.value()->entries.empty()) catalog->folders_.push_back(folder.value());
  }
  // By number: from the millionth million on names have a digit more.
  std::sort(catalog->folders_.begin(), catalog->folders_.end(),
            [](const FolderPtr& a, const FolderPtr& b) {
              return a->entries.front().step < b->entries.front().step;
            });
  for (const FolderPtr& folder : catalog->folders_) {
    catalog->begins_.push_back(catalog->begins_.back() + folder->starts.size());
  }
  return std::shared_ptr<const StepCatalog>(catalog);
}

size_t StepCatalog::FolderOf(size_t place) const {
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), place);
  return static_cast<size_t>(after - begins_.begin()) - 1;
}

Step StepCatalog::StepAt(size_t place) const {
  const size_t number = FolderOf(place);
  const Folder& folder = *folders_[number];
  return folder.entries[folder.starts[place - begins_[number]]].step;
}

size_t StepCatalog::PlaceOf(Step step) const {
  const auto found = std::lower_bound(
      folders_.begin(), folders_.end(), step,
      [](const FolderPtr& folder, Step wanted) { return folder->entries.back().step < wanted; });
  const auto number = static_cast<size_t>(found - folders_.begin());
  if (found == folders_.end()) return size();
  const Folder& folder = **found;
  const auto start = std::lower_bound(
      folder.starts.begin(), folder.starts.end(), step,
      [&](uint32_t first, Step wanted) { return folder.entries[first].step < wanted; });
  return begins_[number] + static_cast<size_t>(start - folder.starts.begin());
}

std::vector<StepCatalog::File> StepCatalog::FilesAt(size_t place) const {
  const size_t number = FolderOf(place);
  const Folder& folder = *folders_[number];
  const size_t start = folder.starts[place - begins_[number]];
  std::vector<File> files;
  for (size_t i = start; i < folder.entries.size(); ++i) {
    const Entry& entry = folder.entries[i];
    if (entry.step != folder.entries[start].step) break;
    const std::string& worker = folder.workers[entry.worker];
    files.push_back({worker, StemOf(entry.step, worker).append(entry.csv ? kCsv : kJson)});
  }
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.worker < b.worker; });
  return files;
}

std::vector<std::string> StepCatalog::Workers() const {
  std::set<std::string> workers;
  for (const FolderPtr& folder : folders_) {
    workers.insert(folder->workers.begin(), folder->workers.end());
  }
  return {workers.begin(), workers.end()};
}

}  // namespace warden::view
