#include "warden/jobs/launch/host_state.h"

#include "warden/base/json_members.h"

namespace warden::jobs {

HostState HostStateOf(const std::string& host, const AgentState& agent) {
  HostState state;
  state.host = host;
  switch (agent.phase) {
    case AgentState::Phase::kNone: state.phase = HostState::Phase::kNotStarted; break;
    case AgentState::Phase::kRunning: state.phase = HostState::Phase::kRunning; break;
    case AgentState::Phase::kEnded: state.phase = HostState::Phase::kEnded; break;
    case AgentState::Phase::kLost: state.phase = HostState::Phase::kLost; break;
  }
  state.exit_code = static_cast<int>(IntegerOf(MemberOf(agent.said, "exit_code")));
  state.signal = static_cast<int>(IntegerOf(MemberOf(agent.said, "signal")));
  state.failure = TextOf(MemberOf(agent.said, "failure"));
  const auto time = [&](const char* member) -> std::optional<Time> {
    const Json* told = MemberOf(agent.said, member);
    if (told == nullptr || !told->is_number_integer()) return std::nullopt;
    return Time(std::chrono::milliseconds(told->get<int64_t>()));
  };
  state.started = time("started");
  state.ended = time("ended_at");
  return state;
}

}  // namespace warden::jobs
