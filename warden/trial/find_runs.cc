#include "warden/trial/find_runs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "warden/storage/store.h"
#include "warden/trial/run_trash.h"

namespace warden::trial {
namespace {

namespace fs = std::filesystem;

constexpr int kSearchDepth = 2;
constexpr std::array<std::string_view, 3> kRunFolders = {"collections/", "index/", "events/"};

bool IsRunFolder(const fs::path& folder) {
  std::error_code error;
  return std::any_of(kRunFolders.begin(), kRunFolders.end(),
                     [&](std::string_view name) { return fs::is_directory(folder / name, error); });
}

void CollectRuns(const fs::path& folder, int depth, std::vector<std::string>* runs) {
  if (IsRunFolder(folder)) {
    runs->push_back(folder.lexically_normal().string());
    return;
  }
  if (depth == 0) return;
  std::error_code error;
  // Unreadable folders and other files are skipped.
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code not_a_folder;
    if (at->path().filename() == kTrashFolder) continue;
    if (at->is_directory(not_a_folder)) CollectRuns(at->path(), depth - 1, runs);
  }
}

}  // namespace

std::vector<std::string> FindRuns(const std::string& name) {
  std::vector<std::string> runs;
  // As the user wrote it where that is a path, so that what is printed looks familiar.
  std::error_code error;
  fs::path folder = name;
  if (!fs::exists(folder, error)) {
    const auto store = storage::OpenStore(name);
    if (store.ok()) folder = store.value()->Locate("");
  }
  CollectRuns(folder, kSearchDepth, &runs);
  std::sort(runs.begin(), runs.end());
  return runs;
}

}  // namespace warden::trial
