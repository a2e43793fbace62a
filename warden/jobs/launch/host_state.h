#ifndef WARDEN_JOBS_LAUNCH_HOST_STATE_H_
#define WARDEN_JOBS_LAUNCH_HOST_STATE_H_

// Between what agents report and what the supervisor sees of hosts.

#include <string>

#include "warden/jobs/agent/agent.h"
#include "warden/jobs/launch/launcher.h"

namespace warden::jobs {

// Translates the state of a host's agent (state.json, written by RunHostAgent). Members that are
// missing or invalid count as 0, empty or nothing. host: "algo-1".
//
//   {"pid": 1234, "program_pid": 1235, "group": "/sys/fs/cgroup/...", "started": 1763251200000,
//    "ended": true, "ended_at": 1763251260000, "exit_code": 1, "signal": 0, "failure": "..."}
HostState HostStateOf(const std::string& host, const AgentState& agent);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_HOST_STATE_H_
