#ifndef WARDEN_CLI_COMMANDS_COMMANDS_H_
#define WARDEN_CLI_COMMANDS_COMMANDS_H_

#include <vector>

#include "warden/cli/command.h"

namespace warden::cli {

CommandEntry RunACommand();
CommandEntry WatchARun();
CommandEntry Eval();
CommandEntry Rules();
CommandEntry TrialLs();
CommandEntry TrialTensors();
CommandEntry TrialSteps();
CommandEntry TrialShow();
CommandEntry TrialCollections();
CommandEntry TrialExport();
CommandEntry TrialVerify();
CommandEntry TimelineMerge();
CommandEntry TimelineSummary();
CommandEntry ReportProfiler();
CommandEntry ReportXgboost();
CommandEntry ServeJobs();
CommandEntry JobsCreate();
CommandEntry JobsLs();
CommandEntry JobsShow();
CommandEntry JobsUpdate();
CommandEntry JobsStop();
CommandEntry JobsRm();
CommandEntry JobsLogs();
CommandEntry JobsWait();
CommandEntry JobsRules();
CommandEntry Exec();
CommandEntry MonitorTheMachine();
CommandEntry Doctor();
CommandEntry AgentHost();
CommandEntry AgentRule();

// Commands of one section of the help; with a name, subcommands of it: "warden trial ls".
struct CommandGroup {
  const char* section;  // Empty: the help does not show it.
  const char* name;     // Empty: top-level commands.
  const char* doc;
  const char* footer;
  std::vector<CommandEntry> commands;
};

// All commands, in the order of the help.
std::vector<CommandGroup> AllCommands();

}  // namespace warden::cli

#endif  // WARDEN_CLI_COMMANDS_COMMANDS_H_
