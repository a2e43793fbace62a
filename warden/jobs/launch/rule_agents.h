#ifndef WARDEN_JOBS_LAUNCH_RULE_AGENTS_H_
#define WARDEN_JOBS_LAUNCH_RULE_AGENTS_H_

// Where the agents of rules run: what differs between launchers. What such an agent does, and what
// it writes into its folder, is the same everywhere (jobs/rules).

#include <string>

#include "warden/base/status.h"
#include "warden/jobs/agent/agent.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// What has become of the agent of a rule.
struct RuleAgentState {
  AgentState agent;
  bool queued = false;   // Not over: it waits for a machine.
  std::string why_lost;  // In kLost, as the API words it; empty: its process was killed.
  bool again = true;     // In kLost: it is worth another attempt.
};

// Starts, finds and ends the agents of rules. Folders are those of AgentLaunch. Safe for many
// threads, but for one folder one call at a time.
class RuleAgents {
 public:
  virtual ~RuleAgents() = default;

  // Whether a rule takes a machine, which it must not do while its training waits for some.
  virtual bool FollowTraining() const = 0;
  // As StartAgent: does nothing if one was started in the folder, by whichever service. job: whose
  // rule it is. kIo, kUnavailable.
  virtual Status Start(const TrainingJob& job, const AgentLaunch& launch) = 0;
  // As LookAtAgent.
  virtual RuleAgentState Look(const std::string& folder) = 0;
  // SIGTERM asks it to end, SIGKILL ends it. May be repeated at any rate.
  virtual void Signal(const std::string& folder, int signal) = 0;
  // As ForgetAgent. REQUIRES: it was lost.
  virtual Status Forget(const std::string& folder) = 0;
};

// Processes on this machine. Never destroyed.
RuleAgents* LocalRuleAgents();

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_RULE_AGENTS_H_
