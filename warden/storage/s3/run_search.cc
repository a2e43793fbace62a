#include "warden/storage/s3/run_search.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "warden/storage/s3/parallel.h"
#include "warden/storage/s3/s3_parts.h"
#include "warden/storage/s3_location.h"
#include "warden/storage/store.h"

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

// Whether it can be a folder of this machine: "a/../../b" is a name like any other in S3.
bool IsFolderBelow(std::string_view prefix, std::string_view folder) {
  return folder.starts_with(prefix) && folder.ends_with('/') &&
         IsValidKey(folder.substr(prefix.size(), folder.size() - prefix.size() - 1));
}

}  // namespace

Result<RunsInS3> FindRunsInS3(Client* client, const std::string& prefix,
                              const std::function<bool(const std::string& prefix)>& is_known_run) {
  RunsInS3 found;
  std::vector<std::string> level = {prefix};
  size_t looked = 0;
  for (int depth = 0; depth <= kDeepest && !level.empty(); ++depth) {
    std::erase_if(level, [&](const std::string& folder) {
      if (!is_known_run(folder)) return false;
      found.runs.push_back(folder);
      return true;
    });
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
        std::copy_if(listed.folders.begin(), listed.folders.end(), std::back_inserter(below),
                     [&](std::string_view folder) { return IsFolderBelow(prefix, folder); });
      }
    }
    level = std::move(below);
  }
  return found;
}

Result<RunsBelow> FindRunsBelow(const std::string& url, const Variables& variables) {
  const auto location = ParseLocation(url);
  if (!location.ok()) return location.status();
  const auto source = OpenSource(location.value().bucket, variables);
  if (!source.ok()) return source.status().WithContext(url);
  auto found = FindRunsInS3(source.value()->client.get(), location.value().prefix,
                            [](const std::string&) { return false; });
  if (!found.ok()) return found.status();
  RunsBelow runs;
  runs.cut_off = found.value().cut_off;
  for (const std::string& prefix : found.value().runs) {
    std::string& run = runs.urls.emplace_back(source.value()->client->Locate(prefix));
    while (run.ends_with('/')) run.pop_back();
  }
  std::sort(runs.urls.begin(), runs.urls.end());
  return runs;
}

}  // namespace warden::storage::s3
