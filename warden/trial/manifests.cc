#include "warden/trial/manifests.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

#include "warden/base/log.h"
#include "warden/config/manifest.h"
#include "warden/format/layout.h"

namespace warden::trial {
namespace {

using Clock = std::chrono::steady_clock;
// The end mark lies outside the folder that is watched, so it is looked for this often.
constexpr std::chrono::milliseconds kPollInterval{200};
constexpr int kPollsBeforeWarning = 100;

// Reads the files that are there now; the first readable one decides.
Result<Manifests> ReadOnce(const storage::Store& store) {
  auto keys = store.List(format::kCollectionsPrefix);
  if (!keys.ok()) return keys.status();
  Manifests manifests;
  for (const std::string& key : keys.value()) {
    const auto worker = format::ParseManifestKey(key);
    if (!worker) continue;
    manifests.workers.push_back(*worker);
    if (manifests.num_workers > 0) continue;
    auto blob = store.ReadAll(key);
    auto manifest = blob.ok() ? config::ParseManifest(AsText(blob.value().bytes)) : blob.status();
    if (!manifest.ok()) {
      manifests.problems.push_back({store.Locate(key), {}, manifest.status().message()});
      continue;
    }
    manifests.collections = std::move(manifest.value().collections);
    manifests.roles = std::move(manifest.value().roles);
    manifests.num_workers = manifest.value().num_workers;
  }
  std::sort(manifests.workers.begin(), manifests.workers.end());
  return manifests;
}

bool IsComplete(const Manifests& manifests) {
  return manifests.num_workers > 0 && std::ssize(manifests.workers) >= manifests.num_workers;
}

// Sleeps until a file appears in the folder or the time is over.
class Waiter {
 public:
  explicit Waiter(const storage::Store* store) : store_(store) {}

  void Wait(std::chrono::milliseconds pause) {
    if (!started_) {
      started_ = true;
      auto watch = store_->WatchPrefix(format::kCollectionsPrefix);
      if (watch.ok()) {
        watch_ = std::move(watch.value());
        return;  // Looks once more: a file may have come before the watch did.
      }
    }
    if (watch_ == nullptr) {
      std::this_thread::sleep_for(pause);
    } else if (watch_->Wait(pause)) {
      watch_->Take();
    }
  }

 private:
  const storage::Store* store_;
  bool started_ = false;
  std::unique_ptr<storage::Watch> watch_;
};

}  // namespace

Result<Manifests> LoadManifests(const storage::Store& store,
                                std::optional<std::chrono::milliseconds> timeout, bool needed,
                                const std::function<bool()>& give_up) {
  const auto start = Clock::now();
  Waiter waiter(&store);
  for (int round = 0;; ++round) {
    // The mark is looked for first: what is listed after it was seen is all that will ever be.
    const bool ended = store.Exists(format::kEndMarker);
    auto manifests = ReadOnce(store);
    if (!manifests.ok() || IsComplete(manifests.value())) return manifests;

    const auto waited = Clock::now() - start;
    const bool out_of_time = (timeout && waited >= *timeout) || (give_up && give_up());
    if ((ended || out_of_time) && !needed) return manifests;
    const std::string found =
        fmt::format("{} of {} collections files in {}", manifests.value().workers.size(),
                    std::max(manifests.value().num_workers, 1), store.Locate(""));
    if (ended) return Status(Code::kMissingCollectionFiles, "the training ended with " + found);
    if (out_of_time) return Status(Code::kUnavailable, "found only " + found);
    if (round == kPollsBeforeWarning) {
      LogWarning("still waiting: found {}; is this the right folder?", found);
    }
    auto pause = std::max(kPollInterval, store.look_again_after());
    if (timeout) {
      pause = std::min(pause, std::chrono::ceil<std::chrono::milliseconds>(*timeout - waited));
    }
    waiter.Wait(pause);
  }
}

}  // namespace warden::trial
