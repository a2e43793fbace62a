// Agents of hosts as processes of this machine.
#include <signal.h>

#include <utility>

#include "warden/base/json_members.h"
#include "warden/jobs/agent/agent_folder.h"
#include "warden/jobs/launch/host_agents.h"
#include "warden/jobs/launch/master_port.h"
#include "warden/jobs/launch/process_group.h"
#include "warden/jobs/launch/strays.h"

namespace warden::jobs {
namespace {

class LocalAgents : public HostAgents {
 public:
  explicit LocalAgents(std::string data) : layout_(std::move(data)) {}

  Result<HostMachine> MachineOf(const TrainingJob& job) override {
    const auto port = MasterPort(layout_.Job(job.name));
    if (!port.ok()) return port.status();
    return LocalMachine(port.value());
  }

  void Adapt(const TrainingJob& job, HostSpec* spec) override {
    const auto longest = job.LongestRun();
    if (!longest) return;
    const Time end = job.started.value_or(Now()) + *longest;
    spec->stop_at = end.time_since_epoch().count();
  }

  bool WasStarted(const TrainingJob& job, const std::string& host) override {
    const std::string folder = layout_.Host(job.name, host);
    return LookAtAgent(folder).phase != AgentState::Phase::kNone ||
           ReadMark(AgentFolder(folder).Started()).has_value();
  }

  Status Start(const TrainingJob& job, const std::vector<AgentLaunch>& launches) override {
    const std::vector<std::string> hosts = job.Hosts();
    for (size_t i = 0; i < launches.size(); ++i) {
      if (Status status = StartAgent(launches[i]); !status.ok())
        return status.WithContext(hosts[i]);
    }
    return Status();
  }

  std::vector<HostState> Look(const TrainingJob& job) override {
    std::vector<HostState> states;
    for (const std::string& host : job.Hosts()) {
      const std::string folder = layout_.Host(job.name, host);
      const AgentState agent = LookAtAgent(folder);
      if (agent.phase == AgentState::Phase::kLost) KillRest(folder, agent);
      states.push_back(HostStateOf(host, agent));
    }
    return states;
  }

  void Stop(const TrainingJob& job, std::chrono::seconds) override {
    for (const std::string& host : job.Hosts()) SignalAgent(layout_.Host(job.name, host), SIGTERM);
  }

 private:
  // What an agent that was killed could not end. The program itself has died with it.
  static void KillRest(const std::string& folder, const AgentState& agent) {
    const std::string group = TextOf(MemberOf(agent.said, "group"));
    if (!group.empty()) ProcessGroup::At(group).Kill();
    KillStrays(folder);
  }

  const service::DataLayout layout_;
};

}  // namespace

std::unique_ptr<HostAgents> MakeLocalAgents(const service::ServiceOptions& options) {
  return std::make_unique<LocalAgents>(options.data);
}

}  // namespace warden::jobs
