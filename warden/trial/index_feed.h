#ifndef WARDEN_TRIAL_INDEX_FEED_H_
#define WARDEN_TRIAL_INDEX_FEED_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"
#include "warden/format/layout.h"
#include "warden/storage/store.h"

namespace warden::trial {

// Names the index files of a run that have not been read yet. Where the store can watch, the folder
// is listed once and then only what appears is heard of; else it is listed from the oldest step
// that may still change. For one thread.
class IndexFeed {
 public:
  explicit IndexFeed(const storage::Store* store) : store_(store) {}

  struct NewFile {
    std::string key;
    format::StepFileName name;
  };
  struct Query {
    std::function<bool(const format::StepFileName&)> known;  // Read already.
    Step last_complete_step = -1;
    bool ended = false;  // The job has ended: this is the last time we ask, nothing to watch for.
  };
  // In the order of their keys, that is of steps.
  Result<std::vector<NewFile>> Take(const Query& query);

  // Never name this file again, unless it is replaced.
  void GiveUp(std::string key) { unusable_.insert(std::move(key)); }

  // Whether the store tells of what is new.
  bool watches() const { return watch_ != nullptr; }
  // Returns when something may be new, or after the timeout; false if nothing is.
  bool Wait(std::chrono::milliseconds timeout);

 private:
  Result<std::vector<NewFile>> List(const Query& query);

  const storage::Store* store_;
  bool started_ = false;
  std::unique_ptr<storage::Watch> watch_;
  std::unordered_set<std::string> unusable_;
};

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_INDEX_FEED_H_
