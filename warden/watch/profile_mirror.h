#ifndef WARDEN_WATCH_PROFILE_MIRROR_H_
#define WARDEN_WATCH_PROFILE_MIRROR_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "warden/base/status.h"
#include "warden/storage/store.h"

namespace warden::watch {

// Profiler data of a run that is not on this machine, in a temporary folder: what reads metrics and
// timelines reads files. Files become visible whole, and files that grow are continued, so that a
// profile feed sees the same as where they are written.
//
//   auto mirror = ProfileMirror::Make(std::move(store));
//   if (!mirror.ok()) return mirror.status();
//   if (Status status = mirror.value()->Update(); !status.ok()) return status;
//   auto feed = timeline::OpenProfileFeed(mirror.value()->folder());
//
// The folder is removed with the object; one of a process that was killed by the next mirror. For
// one thread.
class ProfileMirror {
 public:
  // from: the profiler's folder, with system/ and framework/ in it. kIo if there is no temporary
  // folder.
  static Result<std::unique_ptr<ProfileMirror>> Make(std::unique_ptr<const storage::Store> from);
  ~ProfileMirror();
  ProfileMirror(const ProfileMirror&) = delete;
  ProfileMirror& operator=(const ProfileMirror&) = delete;

  const std::string& folder() const { return folder_; }
  // Whether there was anything to copy so far.
  bool any() const { return !sizes_.empty(); }

  // Copies what is new, several files at a time: reads finished ones once, and of those that grow
  // what was added. A store with thousands of files is listed from the last two hours that have
  // some on, and as a whole every half minute and once there is an end mark: what comes late, or
  // lies elsewhere, is found then. Errors are those of the store, or of writing the folder; the
  // next call continues.
  Status Update();

  // Updates on another thread, as often as the store has something new, until the mirror is
  // destroyed. Failures are logged and tried again. No other call but folder() from then on.
  void Follow();

 private:
  using Clock = std::chrono::steady_clock;

  ProfileMirror(std::unique_ptr<const storage::Store> from, std::unique_ptr<storage::Store> to,
                std::string folder)
      : from_(std::move(from)), to_(std::move(to)), folder_(std::move(folder)) {}

  // The files to copy, and the end marks, which come last.
  struct Found {
    std::vector<std::string> files;
    std::vector<std::string> marks;
  };
  // How far the files below a prefix are known.
  struct Listed {
    size_t files = 0;        // That the last whole list had.
    std::string start;       // Older ones no longer change.
    Clock::time_point when;  // The last whole list began.
  };
  Result<Found> Look(bool whole);
  Result<std::vector<std::string>> List(std::string_view prefix, bool whole);
  Status CopyNew(const std::vector<std::string>& keys);
  // Continues the local file `local` with what `key` has more, and gives it that name.
  Status Continue(const std::string& local, const std::string& key);

  const std::unique_ptr<const storage::Store> from_;
  const std::unique_ptr<storage::Store> to_;
  const std::string folder_;
  std::map<std::string, uint64_t> sizes_;      // Of the copies.
  std::set<std::string> finished_;             // Copies that grow no more.
  std::map<std::string_view, Listed> listed_;  // By prefix.
  std::jthread follower_;
};

}  // namespace warden::watch

#endif  // WARDEN_WATCH_PROFILE_MIRROR_H_
