// To add a command, write commands/<name>.cc with a function that returns its entry (trial_steps.cc
// is a short example), declare it in commands.h and list it here. Computation belongs in a lower
// part; commands only call it and print.
#include "warden/cli/commands/commands.h"

namespace warden::cli {
namespace {

// Sections of the help.
constexpr char kCheck[] = "Check a training";
constexpr char kTune[] = "Tune the rules";
constexpr char kInspect[] = "Inspect a run";
constexpr char kService[] = "Dashboard and training jobs";
constexpr char kMachine[] = "This machine";

}  // namespace

std::vector<CommandGroup> AllCommands() {
  return {
      {kCheck, "", "", "", {RunACommand(), WatchARun(), Eval(), Rules()}},
      {kCheck,
       "profile",
       "Record operators and kernels of a running training, and show where its GPUs' time went",
       "Examples:\n"
       "  warden profile start runs/a --steps 10\n"
       "  warden profile stop runs/a\n"
       "  warden profile kernels runs/a",
       {ProfileStart(), ProfileStop(), ProfileKernels()}},
      {kTune, "", "", "", {Label(), BacktestRules()}},
      {kTune,
       "baseline",
       "Learn what is normal from good runs",
       "Examples:\n"
       "  warden baseline learn --out good.json runs/a runs/b\n"
       "  warden baseline show good.json",
       {BaselineLearn(), BaselineShow()}},
      {kInspect,
       "runs",
       "Show, mark and delete runs",
       "Examples:\n"
       "  warden runs show runs/a\n"
       "  warden runs tag runs/a best small\n"
       "  warden runs archive runs/b runs/c\n"
       "  warden runs rm runs/d && warden runs restore runs/d",
       {RunsShow(), RunsTag(), RunsNote(), RunsRename(), RunsArchive(), RunsStar(), RunsRm(),
        RunsRestore()}},
      {kInspect,
       "trial",
       "Inspect the tensors of a run",
       "Examples:\n"
       "  warden trial ls runs/\n"
       "  warden trial tensors runs/a --collection weights\n"
       "  warden trial show runs/a fc.weight --mode TRAIN --histogram\n"
       "  warden trial export runs/a --regex '^gradient' --format npy --out gradients/",
       {TrialLs(), TrialTensors(), TrialSteps(), TrialShow(), TrialCollections(), TrialExport(),
        TrialVerify()}},
      {kInspect,
       "timeline",
       "Show where the time of a run went",
       "Examples:\n"
       "  warden timeline summary runs/a --by operator --top 20\n"
       "  warden timeline flame runs/a --top 30\n"
       "  warden timeline path runs/a --step 10\n"
       "  warden timeline merge runs/a --first-step 10 --last-step 12 --out steps.json",
       {TimelineSummary(), TimelineFlame(), TimelinePath(), TimelineMerge()}},
      {kInspect,
       "report",
       "Write the HTML report of a run",
       "Examples:\n"
       "  warden report profiler runs/a\n"
       "  warden report xgboost runs/a",
       {ReportProfiler(), ReportXgboost()}},
      {kInspect, "", "", "", {Replay(), ExportPage(), UploadToS3()}},
      {kInspect, "", "", "", {TensorBoard()}},
      {kService, "", "", "", {ServeJobs(), Env()}},
      {kService,
       "jobs",
       "Start, list and stop training jobs of the service",
       "Examples:\n"
       "  warden jobs create --file job.json\n"
       "  warden jobs ls --status InProgress\n"
       "  warden jobs logs demo -f\n"
       "  warden jobs stop demo --wait",
       {JobsCreate(), JobsLs(), JobsShow(), JobsLogs(), JobsRules(), JobsIncidents(), JobsWait(),
        JobsUpdate(), JobsStop(), JobsRm()}},
      {kService,
       "keys",
       "Share the dashboard: view-only links",
       "Examples:\n"
       "  warden keys share --name ana --days 7\n"
       "  warden keys ls\n"
       "  warden keys revoke ana",
       {KeysShare(), KeysLs(), KeysRevoke()}},
      {kService, "", "", "", {Exec(), Backup()}},
      {kMachine, "", "", "", {MonitorTheMachine(), Doctor()}},
      {"", "agent", "", "", {AgentBoxed(), AgentHost(), AgentRule()}},
  };
}

}  // namespace warden::cli
