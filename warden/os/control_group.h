#ifndef WARDEN_OS_CONTROL_GROUP_H_
#define WARDEN_OS_CONTROL_GROUP_H_

// The part of the machine's control groups (cgroup v2) that is ours to divide. A group whose
// members are to be limited one by one may have no processes itself, so the service moves into a
// group of its own below it, as systemd expects of units with Delegate=yes:
//
//   system.slice/warden.service     the group that we were given; controllers are enabled here
//     warden-service                the service and its agents
//     warden-job-algo-1-...         a job's host (jobs/launch/process_group.h)

#include <string>
#include <vector>

namespace warden::os {

// The group of the service itself; also the name to use with DelegateSubgroup= of systemd.
inline constexpr char kServiceGroup[] = "warden-service";
// What names of groups begin with that we make for others.
inline constexpr char kJobGroupPrefix[] = "warden-job-";

// What can be limited here.
struct GroupSupport {
  std::string folder;                    // Where groups can be made; empty: nowhere.
  std::vector<std::string> controllers;  // Of "memory", "pids" and "cpu", those that work.
  std::string reason;                    // Why one of them does not, for people; empty: all do.
};

// The group that we were given: that of this process, or the one above where it is kServiceGroup.
// Empty if there are no groups of version 2. Here and below, root: the folder that has /proc and
// /sys, for tests.
std::string GivenGroup(const std::string& root = "");
// What SetUpGroups would find. Changes nothing.
GroupSupport ProbeGroups(const std::string& root = "");
// Makes limits possible: moves this process into kServiceGroup where that is needed, and enables
// controllers in the group above. Leaves everything as it is where the group is not ours, or not
// ours alone. Call it before other processes are started; they belong to the same group then.
GroupSupport SetUpGroups(const std::string& root = "");

// Kills all processes of a group with SIGKILL and removes it; waits for that up to 5 s. Nothing
// happens if it is gone. folder: of the group, in the cgroup file system.
void EndGroup(const std::string& folder);
// Whoever makes a group for others holds its folder with flock(2). Ends those that nobody holds any
// more: their makers were killed. Returns how many there were.
int EndAbandonedGroups(const std::string& given);

}  // namespace warden::os

#endif  // WARDEN_OS_CONTROL_GROUP_H_
