#ifndef WARDEN_WATCH_LOCAL_JOB_REGISTRY_H_
#define WARDEN_WATCH_LOCAL_JOB_REGISTRY_H_

// How commands of one user find each other's trainings: `warden watch` and the dashboard can stop a
// training that `warden run` started in another terminal. No service is needed: a file for each
// training, in $XDG_RUNTIME_DIR/tensorwarden or in the temporary folder.

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/status.h"

namespace warden::watch {

// A training that `warden run` started on this machine, for this user. A plain value. The process
// may have ended by the time it is used: compare `started` again before a signal is sent.
struct RunningJob {
  std::string name;
  pid_t pid = 0;
  int64_t started = 0;  // In the kernel's count: detects another process with the same ID.
  std::string run;      // The folder, absolute.
};

// Registers a job for as long as this exists: one file each, in a private folder of the user.
// Moved, not copied. A process that is killed leaves its file behind, which is ignored from then
// on.
class JobEntry {
 public:
  // kIo if it cannot be registered; nothing else depends on it. The folder must belong to the user
  // alone: whoever can write there decides which processes are stopped. kIo also if it does not, or
  // if the process has ended.
  static Result<JobEntry> Add(const std::string& name, pid_t pid, const std::string& run);
  ~JobEntry();
  JobEntry(JobEntry&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  JobEntry& operator=(JobEntry&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }

 private:
  explicit JobEntry(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// The running ones, by name. Empty if the folder is missing or not private. Reads all files on each
// call; files that are not entries are skipped. For any thread.
std::vector<RunningJob> RunningJobsHere();

// The one that writes to the folder of this run, which may be given in any way; nothing if none
// does.
std::optional<RunningJob> RunningJobIn(const std::string& run);
// The folder as RunningJob has it.
std::string RunFromRoot(const std::string& run);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_LOCAL_JOB_REGISTRY_H_
