#ifndef WARDEN_CLI_COMMANDS_COMMANDS_H_
#define WARDEN_CLI_COMMANDS_COMMANDS_H_

// All commands of the program. To add one, write commands/<name>.cc with a function that returns
// its entry (trial_steps.cc is a short example), declare it here and list it in AllCommands.

#include <vector>

#include "warden/cli/command.h"

namespace warden::cli {

// warden run: starts a training, captures it and checks it. Exits as the training did, or with
// kIssuesFound if a rule stopped it.
CommandEntry RunACommand();
// warden watch: checks a run while another process writes it. kIssuesFound if a rule found
// problems.
CommandEntry WatchARun();
// warden eval: checks a finished run. kIssuesFound if a rule found problems.
CommandEntry Eval();
// warden rules: lists the built-in rules, or describes one.
CommandEntry Rules();
// warden label, backtest: say which runs are good, and how well rules tell them apart.
CommandEntry Label();
CommandEntry BacktestRules();
// warden baseline ...: what is normal in good runs.
CommandEntry BaselineLearn();
CommandEntry BaselineShow();
// warden runs ...: what a run was made with, marks of runs, and deleting them with undo.
CommandEntry RunsShow();
CommandEntry RunsTag();
CommandEntry RunsNote();
CommandEntry RunsRename();
CommandEntry RunsArchive();
CommandEntry RunsStar();
CommandEntry RunsRm();
CommandEntry RunsRestore();
// warden trial ...: inspect the tensors of a run, which may still be growing.
CommandEntry TrialLs();
CommandEntry TrialTensors();
CommandEntry TrialSteps();
CommandEntry TrialShow();
CommandEntry TrialCollections();
CommandEntry TrialExport();
CommandEntry TrialVerify();
// warden profile ...: operators and kernels of a training that is running.
CommandEntry ProfileKernels();
CommandEntry ProfileStart();
CommandEntry ProfileStop();
// warden timeline ...: where the time of a run went.
CommandEntry TimelineFlame();
CommandEntry TimelineMerge();
CommandEntry TimelinePath();
CommandEntry TimelineSummary();
// warden report ...: write the HTML reports of a run.
CommandEntry Replay();
CommandEntry ReportProfiler();
CommandEntry ReportXgboost();
// warden tensorboard: TensorBoard on runs and jobs, until Ctrl-C.
CommandEntry TensorBoard();
// warden export: the dashboard's page of a run as one HTML file.
CommandEntry ExportPage();
// warden upload: copies a run to S3, also while it grows.
CommandEntry UploadToS3();
// warden serve: the dashboard and the service, until Ctrl-C.
CommandEntry ServeJobs();
// warden env: variables that point AWS clients at the running service, for a shell to read.
CommandEntry Env();
// warden jobs ...: talk to a running service; see serve/service_call.h. `rules`,
// `incidents` and `wait --rules` exit with kIssuesFound if a rule found problems.
CommandEntry JobsCreate();
CommandEntry JobsLs();
CommandEntry JobsShow();
// Changes the profiling of a running job.
CommandEntry JobsUpdate();
CommandEntry JobsStop();
// Of finished jobs only.
CommandEntry JobsRm();
CommandEntry JobsLogs();
CommandEntry JobsWait();
CommandEntry JobsRules();
CommandEntry JobsIncidents();
// warden keys ...: view-only links to the dashboard of a service, which may be running.
CommandEntry KeysShare();
CommandEntry KeysLs();
CommandEntry KeysRevoke();
// warden backup: copies the database and the keys of a service, which may be running.
CommandEntry Backup();
// warden exec: a shell in a running job.
CommandEntry Exec();
// warden monitor, warden doctor: this machine.
CommandEntry MonitorTheMachine();
CommandEntry Doctor();
// warden agent ...: started by the service, not by people; the help does not show it.
CommandEntry AgentBoxed();
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
