// How to add a command: write commands/<name>.cc with a function that returns its entry
// (trial_steps.cc is a short one to copy), declare it in commands.h and list it here. What it
// computes belongs into a lower part; here it is only asked for and printed.
#include "warden/cli/commands/commands.h"

namespace warden::cli {

std::vector<CommandGroup> AllCommands() {
  return {
      {"", "", "", {RunACommand(), WatchARun(), Eval(), Rules()}},
      {"trial",
       "Look into what a training run has saved",
       "Examples:\n"
       "  warden trial ls runs/\n"
       "  warden trial tensors runs/a --collection weights\n"
       "  warden trial show runs/a fc.weight --mode TRAIN --histogram\n"
       "  warden trial export runs/a --regex '^gradient' --format npy --out gradients/",
       {TrialLs(), TrialTensors(), TrialSteps(), TrialShow(), TrialCollections(), TrialExport(),
        TrialVerify()}},
      {"timeline",
       "Look into where the time of a run went",
       "Examples:\n"
       "  warden timeline summary runs/a --by operator --top 20\n"
       "  warden timeline merge runs/a --first-step 10 --last-step 12 --out steps.json",
       {TimelineSummary(), TimelineMerge()}},
      {"report",
       "Write a report of a run",
       "Examples:\n"
       "  warden report profiler runs/a\n"
       "  warden report xgboost runs/a",
       {ReportProfiler(), ReportXgboost()}},
      {"", "", "", {ServeJobs()}},
      {"jobs",
       "Start, watch and end jobs of 'warden serve'",
       "Examples:\n"
       "  warden jobs create --file job.json\n"
       "  warden jobs ls --status InProgress\n"
       "  warden jobs logs demo -f\n"
       "  warden jobs stop demo --wait",
       {JobsCreate(), JobsLs(), JobsShow(), JobsLogs(), JobsRules(), JobsWait(), JobsUpdate(),
        JobsStop(), JobsRm()}},
      {"", "", "", {Exec()}},
      {"", "", "", {MonitorTheMachine(), Doctor()}},
      {"agent", "", "", {AgentHost(), AgentRule()}},
  };
}

}  // namespace warden::cli
