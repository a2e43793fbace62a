#ifndef WARDEN_WATCH_LOCAL_JOB_REGISTRY_H_
#define WARDEN_WATCH_LOCAL_JOB_REGISTRY_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/status.h"

namespace warden::watch {

// A training that `warden run` started on this machine, for this user.
struct RunningJob {
  std::string name;
  pid_t pid = 0;
  int64_t started = 0;  // In the kernel's count: detects another process with the same ID.
  std::string run;      // The folder, absolute.
};

// Registers a job for as long as this exists: one file each, in a private folder of the user.
class JobEntry {
 public:
  // kIo if it cannot be registered; nothing else depends on it.
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

// The running ones, by name.
std::vector<RunningJob> RunningJobsHere();

}  // namespace warden::watch

#endif  // WARDEN_WATCH_LOCAL_JOB_REGISTRY_H_
