// The commands with which the service starts its agents; not for people.
#include "warden/cli/commands/commands.h"
#include "warden/cli/rules/rule_agent_command.h"
#include "warden/jobs/launch/boxed.h"
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

struct BoxedOptions {
  std::string file;
  std::string words;
};

Result<int> RunInBox(const BoxedOptions& options, Output*) {
  return jobs::RunBoxed(options.file, options.words);
}

void DefineBoxed(Command* command) {
  auto options = std::make_shared<BoxedOptions>();
  command->Positional("FILE", &options->file, "JSON file with the box");
  command->Text("--words", &options->words, "JSON list with the command");
  command->Runs(options, RunInBox);
}

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

CommandEntry AgentBoxed() {
  return {"boxed", "Run a program of a training job in a box", DefineBoxed};
}

CommandEntry AgentRule() {
  return {"rule", "Check a training job with one rule", DefineAgent<RunRule>};
}

}  // namespace warden::cli
