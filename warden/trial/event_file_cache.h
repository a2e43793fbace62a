#ifndef WARDEN_TRIAL_EVENT_FILE_CACHE_H_
#define WARDEN_TRIAL_EVENT_FILE_CACHE_H_

// A small cache of open files, found by a linear search: rules read the tensors of one step in a
// row, so a few entries are enough. An open file costs a descriptor, and address space for what was
// read of it.

#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "warden/storage/store.h"
#include "warden/trial/run_index.h"

namespace warden::trial {

// Keeps the event files that were used last open, so that the tensors of a step are read without
// opening its file again for each. Bounded by a number of open files (16). A part of Trial. Safe
// for many threads.
//
//   auto object = cache.Get(file);
//   if (object == nullptr) {
//     object = ... open it ...;
//     cache.Put(file, object);
//   }
class EventFileCache {
 public:
  using ObjectPtr = std::shared_ptr<const storage::Object>;

  // The open file, now the one used last; null if it is not kept. The file stays open as long as
  // anybody holds it, also after the cache has dropped it.
  ObjectPtr Get(FileId file) {
    const std::lock_guard lock(mutex_);
    for (auto at = open_.begin(); at != open_.end(); ++at) {
      if (at->first != file) continue;
      open_.splice(open_.begin(), open_, at);
      return at->second;
    }
    return nullptr;
  }

  // Keeps a file, and drops the one that was not used for longest. Two threads that miss at the
  // same time may put the same file twice, which only costs a place.
  void Put(FileId file, ObjectPtr object) {
    const std::lock_guard lock(mutex_);
    open_.emplace_front(file, std::move(object));
    if (open_.size() > kMostOpen) open_.pop_back();
  }

 private:
  static constexpr size_t kMostOpen = 16;

  std::mutex mutex_;
  std::list<std::pair<FileId, ObjectPtr>> open_;  // The one used last comes first.
};

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_EVENT_FILE_CACHE_H_
