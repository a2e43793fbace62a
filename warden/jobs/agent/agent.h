#ifndef WARDEN_JOBS_AGENT_AGENT_H_
#define WARDEN_JOBS_AGENT_AGENT_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/status.h"

namespace warden::jobs {

// Agents are processes of ours that do the work of a job and outlive the service: one for each host
// of a training job, one for each rule. Each has a folder of its own with what it is to do
// (spec.json), and says there what has become of it (state.json). Whatever happens to the service,
// the next one finds them by their folders.

struct AgentLaunch {
  std::string folder;                    // Made if it is not there.
  std::vector<std::string> words;        // "/path/warden", "agent", "host"; then comes the folder.
  Json spec;                             // May hold secrets: only the owner can read it.
  std::vector<std::string> environment;  // "NAME=value"; empty: the service's own.
  uint64_t memory_bytes = 0;             // That it may have; 0: any.
};

// Starts an agent in a session of its own, its output to the folder's "output" file, unless one is
// at work there or has been: then it does nothing. Returns when the process exists. kIo.
Status StartAgent(const AgentLaunch& launch);

struct AgentState {
  enum class Phase : uint8_t {
    kNone,     // None was started, or it has not said anything yet and is still there.
    kRunning,  // At work.
    kEnded,    // It has said how it ended.
    kLost,     // It was killed before it could say, or even before it began.
  };
  Phase phase = Phase::kNone;
  pid_t pid = 0;
  Json said;  // The last state that it told; null if none.
};
AgentState LookAtAgent(const std::string& folder);

// Sends a signal to an agent, if it is still there.
void SignalAgent(const std::string& folder, int signal);

// Makes a folder fit for another start after an agent was lost: what it said goes. kUnavailable if
// one is still at work there.
Status ForgetAgent(const std::string& folder);

// Seen from the agent.
class AgentSelf {
 public:
  // kExists if another has been at work in the folder: the caller must do nothing and exit. A
  // signal that comes later than this is meant for the agent: whoever wants to handle some blocks
  // them before.
  static Result<std::unique_ptr<AgentSelf>> Claim(const std::string& folder);
  virtual ~AgentSelf() = default;

  virtual const Json& spec() const = 0;
  // Replaces what was said before. The last words have "ended": true.
  virtual Status Say(const Json& state) = 0;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_AGENT_AGENT_H_
