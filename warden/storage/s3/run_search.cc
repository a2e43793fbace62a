#include "warden/storage/s3/run_search.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "warden/storage/s3/parallel.h"

namespace warden::storage::s3 {
namespace {

constexpr int kDeepest = 8;
constexpr size_t kMostFolders = 2000;
constexpr std::array<std::string_view, 5> kRunFolders = {"index/", "collections/", "warden/",
                                                         "debug-output/", "profiler-output/"};

bool IsRun(const std::string& prefix, const Client::Listed& listed) {
  return std::any_of(listed.folders.begin(), listed.folders.end(), [&](std::string_view folder) {
    folder.remove_prefix(std::min(folder.size(), prefix.size()));
    return std::find(kRunFolders.begin(), kRunFolders.end(), folder) != kRunFolders.end();
  });
}

}  // namespace

Result<RunsInS3> FindRunsInS3(Client* client, const std::string& prefix,
                              const std::function<bool(const std::string& prefix)>& is_known_run) {
  RunsInS3 found;
  std::vector<std::string> level = {prefix};
  size_t looked = 0;
  for (int depth = 0; depth <= kDeepest && !level.empty(); ++depth) {
    const auto unknown = std::stable_partition(level.begin(), level.end(), is_known_run);
    found.runs.insert(found.runs.end(), level.begin(), unknown);
    level.erase(level.begin(), unknown);
    if (level.size() > kMostFolders - looked) {
      level.resize(kMostFolders - looked);
      found.cut_off = true;
    }
    looked += level.size();
    std::vector<std::optional<Result<Client::Listed>>> answers(level.size());
    InParallel(level.size(), [&](size_t i) { answers[i] = client->ListFolder(level[i]); });
    std::vector<std::string> below;
    for (size_t i = 0; i < level.size(); ++i) {
      if (!answers[i]->ok()) return answers[i]->status();
      Client::Listed& listed = answers[i]->value();
      if (IsRun(level[i], listed)) {
        found.runs.push_back(level[i]);
      } else {
        std::move(listed.folders.begin(), listed.folders.end(), std::back_inserter(below));
      }
    }
    level = std::move(below);
  }
  return found;
}

}  // namespace warden::storage::s3
