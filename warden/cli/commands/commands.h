#ifndef WARDEN_CLI_COMMANDS_COMMANDS_H_
#define WARDEN_CLI_COMMANDS_COMMANDS_H_

// All commands of the program. To add one, write commands/<name>.cc with a function that returns
// its entry (trial_steps.cc is a short example), declare it here and list it in AllCommands.

#include <vector>

#include "warden/cli/command.h"

namespace warden::cli {

// warden run, watch, eval, rules: check a training. `run` exits as the training did, or with
// kIssuesFound if a rule stopped it; `watch` and `eval` exit with kIssuesFound if a rule found
// problems.
CommandEntry RunACommand();
CommandEntry WatchARun();
CommandEntry Eval();
CommandEntry Rules();
// warden trial ...: inspect the tensors of a run, which may still be growing.
CommandEntry TrialLs();
CommandEntry TrialTensors();
CommandEntry TrialSteps();
CommandEntry TrialShow();
CommandEntry TrialCollections();
CommandEntry TrialExport();
CommandEntry TrialVerify();
// warden timeline ...: where the time of a run went.
CommandEntry TimelineMerge();
CommandEntry TimelineSummary();
// warden report ...: write the HTML reports of a run.
CommandEntry ReportProfiler();
CommandEntry ReportXgboost();
// warden serve: the dashboard and the service, until Ctrl-C.
CommandEntry ServeJobs();
// warden jobs ...: talk to a running service; see serve/service_call.h. `rules`, and
// `wait --rules`, exit with kIssuesFound if a rule found problems.
CommandEntry JobsCreate();
CommandEntry JobsLs();
CommandEntry JobsShow();
CommandEntry JobsUpdate();
CommandEntry JobsStop();
CommandEntry JobsRm();
CommandEntry JobsLogs();
CommandEntry JobsWait();
CommandEntry JobsRules();
// warden exec: a shell in a running job.
CommandEntry Exec();
// warden monitor, warden doctor: this machine.
CommandEntry MonitorTheMachine();
CommandEntry Doctor();
// warden agent ...: started by the service, not by people; the help does not show it.
CommandEntry AgentHost();
CommandEntry AgentRule();

// Commands of one section of the help; with a name, subcommands of it: "warden trial ls".
// Constants.
struct CommandGroup {
  const char* section;  // Empty: the help does not show it.
  const char* name;     // Empty: top-level commands.
  // One line for the help; the footer, with examples, follows the list of commands.
  const char* doc;
  const char* footer;
  std::vector<CommandEntry> commands;
};

// All commands, in the order of the help.
std::vector<CommandGroup> AllCommands();

}  // namespace warden::cli

#endif  // WARDEN_CLI_COMMANDS_COMMANDS_H_
