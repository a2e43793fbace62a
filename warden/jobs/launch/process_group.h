#ifndef WARDEN_JOBS_LAUNCH_PROCESS_GROUP_H_
#define WARDEN_JOBS_LAUNCH_PROCESS_GROUP_H_

#include <optional>
#include <string>
#include <utility>

#include "warden/os/posix.h"

namespace warden::jobs {

// A control group (version 2) that holds a host's program with all that it starts, so that none of
// it can escape. Most machines let only some users make one.
class ProcessGroup {
 public:
  // Nothing where it cannot be made; then descendants are looked for one by one. name: of no other.
  static std::optional<ProcessGroup> Make(const std::string& name);
  // One that was made by a process that is gone.
  static ProcessGroup At(std::string folder) { return ProcessGroup(std::move(folder)); }

  const std::string& folder() const { return folder_; }
  // A process that writes "0" there is in it.
  int members() const { return members_.get(); }
  // Kills all that are in it, at once. The group goes when it is empty.
  void Kill();

 private:
  explicit ProcessGroup(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
  os::UniqueFd members_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_PROCESS_GROUP_H_
