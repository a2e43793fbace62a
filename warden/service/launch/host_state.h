#ifndef WARDEN_SERVICE_LAUNCH_HOST_STATE_H_
#define WARDEN_SERVICE_LAUNCH_HOST_STATE_H_

#include <string>

#include "warden/service/agent/agent.h"
#include "warden/service/launch/launcher.h"

namespace warden::service {

// What a host's agent has said, in the launcher's words.
HostState HostStateOf(const std::string& host, const AgentState& agent);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_LAUNCH_HOST_STATE_H_
