#include "warden/trial/index_feed.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "warden/base/log.h"

namespace warden::trial {
namespace {

// How many steps behind the last complete one a late worker's file is still looked for, where the
// store can only be listed.
constexpr Step kLagSteps = 1000;

}  // namespace

Result<std::vector<IndexFeed::NewFile>> IndexFeed::Take(const Query& query) {
  if (!started_ && !query.ended) {
    started_ = true;
    // Watching starts before listing, so that nothing can fall between the two.
    auto watch = store_->WatchPrefix(format::kIndexPrefix);
    if (watch.ok()) watch_ = std::move(watch.value());
    return List(query);
  }
  // At the end a list has the last word: it needs no promise from the watch.
  if (watch_ == nullptr || query.ended) return List(query);

  storage::Watch::Changes changes = watch_->Take();
  if (changes.list_again) return List(query);
  std::sort(changes.keys.begin(), changes.keys.end());
  changes.keys.erase(std::unique(changes.keys.begin(), changes.keys.end()), changes.keys.end());
  std::vector<NewFile> files;
  for (std::string& key : changes.keys) {
    if (auto name = format::ParseStepFileName(key)) {
      files.push_back({std::move(key), std::move(*name)});
    }
  }
  return files;
}

Result<std::vector<IndexFeed::NewFile>> IndexFeed::List(const Query& query) {
  std::string after;
  if (watch_ == nullptr && query.last_complete_step > kLagSteps && !query.ended) {
    after = format::IndexFileKey(query.last_complete_step - kLagSteps, "");
  }
  auto keys = store_->List(format::kIndexPrefix, after);
  if (!keys.ok()) return keys.status();
  std::vector<NewFile> files;
  for (std::string& key : keys.value()) {
    auto name = format::ParseStepFileName(key);
    if (!name) {
      if (unusable_.insert(key).second) {
        LogWarning("{} is not an index file; skipped", store_->Locate(key));
      }
      continue;
    }
    if (query.known(*name) || unusable_.contains(key)) continue;
    files.push_back({std::move(key), std::move(*name)});
  }
  return files;
}

bool IndexFeed::Wait(std::chrono::milliseconds timeout) {
  if (watch_ != nullptr) return watch_->Wait(timeout);
  std::this_thread::sleep_for(timeout);
  return true;
}

}  // namespace warden::trial
