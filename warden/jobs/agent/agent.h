#ifndef WARDEN_JOBS_AGENT_AGENT_H_
#define WARDEN_JOBS_AGENT_AGENT_H_

// Agents are processes of ours that do the work of a job and outlive the service: one for each host
// of a training job, one for each rule. Each has its own folder with what it is to do (spec.json),
// and reports there what has become of it (state.json). Whatever happens to the service, the next
// one finds its agents by their folders. The service's side, for example:
//
//   StartAgent({.folder = folder, .words = {"/usr/bin/warden", "agent", "host"}, .spec = spec});
//   const AgentState agent = LookAtAgent(folder);  // Poll it.
//   if (agent.phase == AgentState::Phase::kEnded) Read(agent.said);

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/status.h"

namespace warden::jobs {

// How to start an agent.
struct AgentLaunch {
  std::string folder;              // Absolute. Created if it is missing, for the owner alone.
  std::vector<std::string> words;  // "/path/warden", "agent", "host"; the folder is added.
  Json spec;                       // Any object. May contain secrets: only the owner can read it.
  std::vector<std::string> environment;  // "NAME=value"; empty: the service's own.
  uint64_t memory_bytes = 0;             // Limit of its memory (RLIMIT_DATA); 0: none.
};

// Starts an agent in its own session, with its output appended to the folder's file "output". Does
// nothing if one is at work in the folder or has been: so it can be repeated after a crash of the
// service. Returns when the process exists; whether it works is seen by LookAtAgent. kIo. For any
// thread.
Status StartAgent(const AgentLaunch& launch);

// What has become of an agent.
struct AgentState {
  enum class Phase : uint8_t {
    kNone,     // None was started, or it has just been and has not reported yet.
    kRunning,  // At work.
    kEnded,    // It has reported how it ended.
    kLost,     // It was killed before it could report, or even before it began.
  };
  Phase phase = Phase::kNone;  // kEnded is final.
  pid_t pid = 0;               // 0 in kNone; in kEnded and kLost it may be another's by now.
  Json said;                   // The last state that it reported; null if none.
};
// Reads the state from the folder. Cheap, never blocks, for any thread.
AgentState LookAtAgent(const std::string& folder);

// Sends a signal to the agent if it is still alive; never to another process that got its number.
void SignalAgent(const std::string& folder, int signal);

// Prepares a folder for another StartAgent after an agent was lost: what it reported is removed.
// kUnavailable if one is still at work there (it waits up to 5 s for a dying one), kIo.
Status ForgetAgent(const std::string& folder);

// The agent's side: who am I, and how do I report. For one thread. Held for the life of the
// process.
class AgentSelf {
 public:
  // Takes the folder for this process. kExists if another is or has been at work in it: the caller
  // must do nothing and exit. kNotFound, kCorrupt or kInvalid if spec.json cannot be read; kIo.
  // Signals that arrive after this are meant for the agent: block those that you want to handle
  // before.
  static Result<std::unique_ptr<AgentSelf>> Claim(const std::string& folder);
  virtual ~AgentSelf() = default;

  // What StartAgent was given. Valid as long as this.
  virtual const Json& spec() const = 0;
  // Whether the folder is still this process's: it is not after somebody has cleared it for another
  // attempt, which an agent notices on a machine that was given up.
  virtual bool HoldsFolder() const = 0;
  // Replaces the state in one step: a reader sees the old one or the new one. The last one has
  // "ended": true. kIo: the old one stays; try again.
  virtual Status Say(const Json& state) = 0;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_AGENT_AGENT_H_
