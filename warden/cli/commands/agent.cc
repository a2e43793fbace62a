// The commands that the service starts its agents with; nobody types them.
#include "warden/cli/commands/commands.h"
#include "warden/cli/rules/rule_agent.h"
#include "warden/service/launch/launcher.h"

namespace warden::cli {
namespace {

struct Options {
  std::string folder;
};

Result<int> RunHost(const Options& options, Output*) {
  return service::RunHostAgent(options.folder);
}

Result<int> RunRule(const Options& options, Output*) { return RunRuleAgent(options.folder); }

template <Result<int> (*run)(const Options&, Output*)>
void Define(Command* command) {
  auto options = std::make_shared<Options>();
  command->Positional("FOLDER", &options->folder, "Folder of the agent, with its spec.json");
  command->Runs(options, run);
}

}  // namespace

CommandEntry AgentHost() {
  return {"host", "Run the program of one host of a training job", Define<RunHost>};
}

CommandEntry AgentRule() { return {"rule", "Judge a training job by one rule", Define<RunRule>}; }

}  // namespace warden::cli
