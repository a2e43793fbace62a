// Agents of rules as processes of this machine.
#include "warden/jobs/launch/rule_agents.h"

namespace warden::jobs {
namespace {

class LocalRules : public RuleAgents {
 public:
  bool FollowTraining() const override { return false; }

  Status Start(const TrainingJob&, const AgentLaunch& launch) override {
    return StartAgent(launch);
  }

  RuleAgentState Look(const std::string& folder) override {
    return {.agent = LookAtAgent(folder), .queued = false, .why_lost = "", .again = true};
  }

  void Signal(const std::string& folder, int signal) override { SignalAgent(folder, signal); }

  Status Forget(const std::string& folder) override { return ForgetAgent(folder); }
};

}  // namespace

RuleAgents* LocalRuleAgents() {
  static LocalRules agents;
  return &agents;
}

}  // namespace warden::jobs
