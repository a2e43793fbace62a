#ifndef WARDEN_STORAGE_S3_RUN_MIRROR_H_
#define WARDEN_STORAGE_S3_RUN_MIRROR_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "warden/base/status.h"
#include "warden/storage/s3/profiles.h"
#include "warden/storage/s3/run_copy.h"
#include "warden/storage/s3/s3_parts.h"

namespace warden::storage::s3 {

// The runs below a place in S3, as folders of this machine that have all of them but the values of
// tensors: for programs that read files. A thread finds runs and keeps the copies up to date while
// somebody asks for them; no call waits for the network for long, however slow the server is. The
// folder is bounded: profiles, which are copied of runs that somebody looks at, make room for
// others. Safe for many threads.
//
//   auto mirror = RunMirror::Start("s3://team/runs", data + "/runs-in-s3/1", most_bytes);
//   if (!mirror.ok()) return mirror.status();
//   mirror.value()->Want();
//   ... look for runs in mirror.value()->folder() ...
class RunMirror {
 public:
  // folder: absolute, for this mirror alone. What is in it is removed, now and at the end. kInvalid
  // for a URL or a variable that is not accepted; nothing is sent yet.
  static Result<std::unique_ptr<RunMirror>> Start(const std::string& url, const std::string& folder,
                                                  uint64_t most_bytes,
                                                  const Variables& variables = ProcessVariables());
  ~RunMirror();
  RunMirror(const RunMirror&) = delete;
  RunMirror& operator=(const RunMirror&) = delete;

  // What is at the URL is in this folder, under the same names.
  const std::string& folder() const { return folder_; }
  // The URL of a path in the folder.
  std::string UrlOf(const std::string& path) const;

  // The list of runs is wanted: they are looked for every few seconds for a minute from now on.
  void Want();
  // Somebody looks at the run in that folder: it is brought up to date once a second for half a
  // minute from now on. The first call waits until all of it is here, two seconds at most.
  void LookAt(const std::string& run);

  // For people: what could not be found or copied, and why; names the place.
  std::vector<std::string> Problems() const;

  // $WARDEN_S3_MIRROR_MB in bytes, else 2048 MB. kInvalid for a value that is not accepted.
  static Result<uint64_t> BoundFrom(const Variables& variables = ProcessVariables());

 private:
  using Clock = std::chrono::steady_clock;
  struct Run {
    Run(std::shared_ptr<Source> source, const std::string& prefix, const std::string& folder)
        : copy(std::move(source), prefix, folder) {}
    RunCopy copy;  // Of the thread alone. What follows is guarded by mutex_.
    Clock::time_point due = {};
    Clock::time_point looked = {};
    Clock::time_point changed = Clock::now();  // As far as it was seen here.
    bool looked_at = false;
    bool here = false;  // All of it was copied, once at least.
    bool full = false;  // There was no room for some of it.
    std::string problem;
  };
  using RunPtr = std::shared_ptr<Run>;

  RunMirror(std::shared_ptr<Source> source, std::string url, std::string prefix, std::string folder,
            uint64_t most_bytes);
  void Work(const std::stop_token& stop);
  void Search();
  void TakeFound(const std::vector<std::string>& prefixes);
  std::string FolderOf(const std::string& prefix) const;
  // The run that is to be updated now; null if there is none. Those that are looked at come first.
  RunPtr NextDue(Clock::time_point now) const;
  void Update(const RunPtr& run);
  // Removes the profile that was looked at longest ago. False if there is none.
  bool MakeRoom(const RunPtr& run);

  const std::shared_ptr<Source> source_;
  const std::string url_;
  const std::string prefix_;
  const std::string folder_;
  const uint64_t most_bytes_;
  const Clock::time_point begun_ = Clock::now();
  mutable std::mutex mutex_;  // Guards what follows.
  std::condition_variable_any wake_, copied_;
  std::map<std::string, RunPtr> runs_;  // By prefix; changed by the thread alone.
  Clock::time_point wanted_ = {};
  Clock::time_point next_search_ = {};
  bool searched_ = false;
  std::string problem_;
  std::jthread thread_;  // Last: it uses the others.
};

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_RUN_MIRROR_H_
