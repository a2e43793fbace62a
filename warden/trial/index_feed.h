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

// Names the index files of a run that have not been read yet, for those who follow a run: Trial and
// the dashboard's series. Where the store can watch, the folder is listed once and then only what
// appears is looked at; else it is listed from the oldest step that may still change. For one
// thread.
//
//   const auto files = feed.Take({.known = is_known, .last_complete_step = step, .ended = ended});
//   if (!files.ok()) return files.status();
//   for (const IndexFeed::NewFile& file : files.value()) {
//     if (!Read(file.key)) feed.GiveUp(file.key);
//   }
class IndexFeed {
 public:
  // store outlives the feed. Does nothing yet.
  explicit IndexFeed(const storage::Store* store) : store_(store) {}

  struct NewFile {
    std::string key;
    format::StepFileName name;  // What the key says: step and worker.
  };
  // What the caller knows already.
  struct Query {
    std::function<bool(const format::StepFileName&)> known;  // Read already. Not null.
    Step last_complete_step = -1;  // Where only listing helps, steps 1000 before it are final.
    bool ended = false;  // The job has ended: this is the last time we ask, nothing to watch for.
  };
  // In the order of their keys, that is of steps. A watch also reports known files that were
  // written again; a list does not. Files in the folder that are not index files are skipped, those
  // found by listing with a warning. Errors are those of Store::List.
  Result<std::vector<NewFile>> Take(const Query& query);

  // Do not name this file again, unless a watch reports that it was replaced.
  void GiveUp(std::string key) { unusable_.insert(std::move(key)); }

  // Whether the store reports what is new; false before the first Take.
  bool watches() const { return watch_ != nullptr; }
  // Returns when something may be new, or after the timeout; false if nothing is. Without a watch
  // it sleeps for all of the timeout and returns true.
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
