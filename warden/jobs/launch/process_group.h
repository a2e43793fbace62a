#ifndef WARDEN_JOBS_LAUNCH_PROCESS_GROUP_H_
#define WARDEN_JOBS_LAUNCH_PROCESS_GROUP_H_

// Keeps all processes of a host together, with the kernel's help where it is allowed. Used by the
// host agent, and by the launcher after an agent was killed.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "warden/jobs/launch/instance_limits.h"
#include "warden/os/posix.h"

namespace warden::jobs {

// A control group (cgroup v2) with a host's program and all that it starts, so that none of it can
// escape. Made below the group that the service was given (os/control_group.h). Most machines let
// only some users create one. For one thread. Destroying the object leaves the group alone: call
// Kill().
class ProcessGroup {
 public:
  // Nothing where it cannot be created; then descendants are searched one by one (strays.h). name:
  // unique on this machine.
  static std::optional<ProcessGroup> Make(const std::string& name);
  // One that was made by a process that has died, by its folder. It has no members().
  static ProcessGroup At(std::string folder) { return ProcessGroup(std::move(folder)); }

  // Its folder in the cgroup file system, to find it again.
  const std::string& folder() const { return folder_; }
  // A process that writes "0" to this descriptor becomes a member; children inherit that. Stays
  // ours.
  int members() const { return members_.get(); }
  // Limits what its members use together, as far as the kernel lets us: memory, processes and
  // threads, and a share of the processors when others want them too. Where memory is used up, all
  // of them are killed. Returns what is not limited, for people; empty: nothing.
  std::string Limit(const InstanceLimits& limits);
  // Which limit its members have hit, in a sentence for people; empty: none. After Kill() it is
  // what was known then.
  std::string Trouble() const;
  // Kills all members with SIGKILL and removes the group; waits for that up to 5 s.
  void Kill();

 private:
  explicit ProcessGroup(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
  InstanceLimits limits_;
  os::UniqueFd held_;     // The folder, locked; see os::EndAbandonedGroups.
  os::UniqueFd members_;  // cgroup.procs; closed in one that At() returned.
  std::optional<std::string> trouble_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_PROCESS_GROUP_H_
