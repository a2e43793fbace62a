#ifndef WARDEN_JOBS_LAUNCH_HOST_STATE_H_
#define WARDEN_JOBS_LAUNCH_HOST_STATE_H_

#include <string>

#include "warden/jobs/agent/agent.h"
#include "warden/jobs/launch/launcher.h"

namespace warden::jobs {

// What a host's agent has said, in the launcher's words.
HostState HostStateOf(const std::string& host, const AgentState& agent);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_HOST_STATE_H_
