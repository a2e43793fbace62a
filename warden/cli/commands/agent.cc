// The commands with which the service starts its agents; not for people.
#include "warden/cli/commands/commands.h"
#include "warden/cli/rules/rule_agent.h"
#include "warden/jobs/launch/launcher.h"

namespace warden::cli {
namespace {

struct AgentOptions {
  std::string folder;
};

Result<int> RunHost(const AgentOptions& options, Output*) {
  return jobs::RunHostAgent(options.folder);
}

Result<int> RunRule(const AgentOptions& options, Output*) { return RunRuleAgent(options.folder); }

template <Result<int> (*run)(const AgentOptions&, Output*)>
void DefineAgent(Command* command) {
  auto options = std::make_shared<AgentOptions>();
  command->Positional("FOLDER", &options->folder, "Folder of the agent, with its spec.json");
  command->Runs(options, run);
}

}  // namespace

CommandEntry AgentHost() {
  return {"host", "Run one host of a training job", DefineAgent<RunHost>};
}

CommandEntry AgentRule() {
  return {"rule", "Check a training job with one rule", DefineAgent<RunRule>};
}

}  // namespace warden::cli
