#include "warden/cli/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/capture/launch_folder.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/browser.h"
#include "warden/cli/launch/checkpoint_steps.h"
#include "warden/cli/launch/child.h"
#include "warden/cli/launch/environment.h"
#include "warden/cli/launch/find_program.h"
#include "warden/cli/launch/guard_flags.h"
#include "warden/cli/launch/interrupt.h"
#include "warden/cli/launch/origin_recorder.h"
#include "warden/cli/launch/output_tee.h"
#include "warden/cli/launch/profiling.h"
#include "warden/cli/launch/python_site.h"
#include "warden/cli/launch/run_events.h"
#include "warden/cli/launch/slurm_task.h"
#include "warden/cli/launch/spooled_runs.h"
#include "warden/cli/launch/stop_with_others.h"
#include "warden/cli/launch/task_marks.h"
#include "warden/cli/rules/alarm_flags.h"
#include "warden/cli/rules/live_display.h"
#include "warden/cli/rules/rule_flags.h"
#include "warden/cli/rules/summary_text.h"
#include "warden/cli/text.h"
#include "warden/daemon/viewer.h"
#include "warden/storage/s3/spool_upload.h"
#include "warden/storage/spool/spool.h"
#include "warden/storage/spool/uploader.h"
#include "warden/storage/store.h"
#include "warden/trial/run_origin.h"
#include "warden/trial/run_record.h"
#include "warden/watch/background_watch.h"
#include "warden/watch/baseline_choice.h"
#include "warden/watch/local/local_jobs.h"
#include "warden/watch/report/live_xgboost_report.h"
#include "warden/watch/rule_choice.h"
#include "warden/watch/summary/run_facts.h"

namespace warden::cli {
namespace {

// The exit codes of shells for a command that does not exist or cannot be executed.
constexpr int kNoSuchCommand = 127;
constexpr int kNotExecutable = 126;

// Between asking the training to stop, from the dashboard, and killing it.
constexpr std::chrono::seconds kDashboardGrace{30};

// The first task of a distributed training waits that long for what the others still save, and for
// those that were killed with it.
constexpr std::chrono::seconds kOthersEnd{10};
constexpr std::chrono::seconds kOthersKilled{2};

constexpr char kNoPackages[] =
    "Capture disabled: the tensorwarden Python package was not found next to `warden`; set "
    "TENSORWARDEN_PYTHON";

struct RunOptions {
  std::vector<std::string> words;
  config::LaunchFlags flags;
  watch::RuleFlags rules;
  std::string baseline;
  AlarmFlags alarms;
  std::string fail_on = "never";
  ProfileFlags profile;
  std::string events;
  std::string budget;
  GuardFlags guard;
  std::string checkpoints;
  bool separate = false;
  bool no_log = false;
  bool no_origin = false;
  bool open = false;
  bool json = false;
  bool verbose = false;
};

// The percentage of the training time that capture may take. Empty where the user decides what is
// saved when, or wants whole tensors, which would fill the disk.
Result<std::string> BudgetFor(const RunOptions& options, const config::LaunchConfig& config) {
  if (!options.budget.empty()) {
    const auto percent = ParseDouble(Trim(options.budget));
    if (!percent || !(*percent >= 0.1 && *percent <= 50)) {
      return Status(
          Code::kInvalid,
          fmt::format("--budget is '{}'; expected a percentage from 0.1 to 50", options.budget));
    }
    return std::string(Trim(options.budget));
  }
  const config::LaunchFlags& flags = options.flags;
  const bool chosen = !config.source.empty() || !flags.save_interval.empty() || flags.save_all ||
                      flags.reductions == "none" || flags.tensorboard ||
                      config.text.find("save_raw_tensor") != std::string::npos;
  return chosen ? std::string() : std::string("1");
}

// What the run's folder contains in the end.
struct Captured {
  watch::RunFacts facts;
  std::vector<std::string> workers;
  bool finished = false;
};

Captured LookInto(const std::string& folder, std::optional<int> gpus) {
  Captured captured;
  const auto run = OpenRun(folder);
  captured.facts = watch::FactsOf(run.ok() ? run.value().trial.get() : nullptr, gpus);
  if (!run.ok()) return captured;
  captured.workers = run.value().trial->workers();
  captured.finished = run.value().trial->loaded_all_steps();
  return captured;
}

Json EndFields(const Ending& ending, double seconds, const std::string& folder,
               const Captured& captured) {
  return {{"exit_code", ending.exit_code},
          {"signal", ending.signal == 0 ? Json() : Json(ending.signal)},
          {"seconds", std::round(seconds * 1000) / 1000},
          {"run", folder},
          {"steps", captured.facts.steps},
          {"tensors", captured.facts.tensors},
          {"workers", captured.workers},
          {"finished", captured.finished}};
}

// The run as others find it, and a file of it: in S3, or on this machine.
std::string PlaceOf(const capture::LaunchFolder& folder) {
  return storage::IsRemote(folder.run) ? folder.run : folder.path;
}
std::string PlaceOf(const capture::LaunchFolder& folder, const std::string& path) {
  const bool moves = storage::IsRemote(folder.run) && path.starts_with(folder.path + "/");
  return moves ? folder.run + path.substr(folder.path.size()) : path;
}

// Relative to the current folder, where the path is below it.
std::string FromHere(const std::string& path) {
  if (storage::IsRemote(path)) return path;
  std::error_code error;
  const std::string near = std::filesystem::proximate(path, error).string();
  return path.empty() || error || near.empty() || near.starts_with("..") ? path : near;
}

void TellStart(const config::LaunchConfig& config, const capture::LaunchFolder& folder,
               bool verbose, Output* out) {
  out->Tell(fmt::format("saving to {}", Printable(folder.run)));
  if (!verbose) return;
  out->Tell(fmt::format("configuration: {}, from {}", Printable(folder.config_file),
                        config.source.empty() ? "the defaults" : Printable(config.source)));
}

Result<RunEvents> OpenEvents(const RunOptions& options) {
  if (!options.events.empty()) return RunEvents::ToFile(options.events);
  return options.json ? RunEvents::ToStandardError() : RunEvents::ToNowhere();
}

int RefusalCode(const Status& status, Output* out) {
  out->Tell(Printable(status.message()));
  return status.code() == Code::kNotFound ? kNoSuchCommand : kNotExecutable;
}

// What is ready before the training starts.
struct Plan {
  std::string program;
  config::LaunchConfig config;
  watch::BackgroundTask task;
  capture::LaunchFolder folder;
  ProfilePlan profile;
  std::optional<std::string> python_site;
  std::string budget;
  // For one of several tasks that train together.
  std::optional<SlurmTask> slurm = {};
  std::optional<TaskMarks> others = {};
};

// Goes to standard error: standard output is the training's.
void TellSummary(const watch::BackgroundWatch& watching, const SummaryOptions& options,
                 const RunPlaces& places, Output* out) {
  const watch::Watched& watched = watching.watched();
  const bool trained = options.facts.steps > 0;
  if (!watched.status.ok()) {
    out->Tell("rules were not evaluated: " + Printable(watched.status.message()));
  }
  if (watching.stopped_the_training()) {
    out->Tell(StopText(watching.stopped_by(), watched.last_step));
  }
  if (!trained) {
    out->Tell("No PyTorch, Keras or XGBoost training detected; see the errors above");
  }
  Output messages(STDERR_FILENO, STDERR_FILENO, DetectTerminal(STDERR_FILENO));
  if (trained || HasNews(watched.reports) || options.verbose) {
    messages.Write("\n");
    PrintSummary(watched.reports, options, &messages);
  }
  PrintPlaces(places, options.facts, &messages);
  (void)messages.Flush();
}

// The dashboard of this run; null if it was not requested or could not start.
std::unique_ptr<daemon::Viewer> ShowRun(const RunOptions& options, const std::string& run,
                                        Output* out) {
  if (!options.open) return nullptr;
  service::ServiceOptions viewer;
  viewer.listen = "127.0.0.1:0";
  viewer.runs = {run};
  viewer.local_runs = watch::LocalJobs::ForDashboard(kDashboardGrace);
  auto started = daemon::Viewer::Start(viewer);
  if (!started.ok()) {
    out->Tell("cannot start the dashboard: " + Printable(started.status().message()));
    return nullptr;
  }
  const std::string link = started.value()->Link(run);
  out->Tell("dashboard: " + link);
  // Without a browser the user can open the printed link.
  (void)OpenInBrowser(link);
  return std::move(started.value());
}

// After the end of the run, while a person may be looking.
void KeepShowing(const daemon::Viewer* viewer, Output* out) {
  if (viewer == nullptr || isatty(STDERR_FILENO) != 1) return;
  out->Tell("dashboard still running. Press Ctrl-C to stop");
  CatchInterrupts();
  while (!Interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

double SecondsSince1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Written into the run's folder for later readers. Nothing depends on it.
void Record(const std::string& run, const trial::RunRecord& record) {
  const Status status = trial::WriteRunRecord(run, record);
  if (!status.ok()) LogWarning("{}", status.message());
}

std::vector<std::string> EnvironmentOf(const RunOptions& options, const Plan& plan) {
  return CaptureEnvironment(plan.folder.config_file, plan.profile.config_file, plan.budget,
                            plan.config.source.empty(), plan.python_site, options.verbose);
}

// Runs a task of a distributed training other than the first, which does all that is done once: it
// evaluates rules, keeps records and summarizes.
Result<int> Follow(const RunOptions& options, const Plan& plan, Output* out) {
  MonitorBesideProgram monitor(plan.profile);
  StopWithOthers stop(*plan.others, plan.task.alarms.grace());
  const auto started = [&](pid_t pid) {
    if (plan.slurm->rank_on_node == 0) monitor.Start(pid, out);
    stop.Start(pid);
  };
  const auto ending =
      RunChild({plan.program, options.words, EnvironmentOf(options, plan), started});
  if (!ending.ok()) return RefusalCode(ending.status(), out);
  stop.Finish();
  monitor.FinishSamples();
  plan.others->End();
  if (plan.others->Stopped()) return kIssuesFound;
  if (ending.value().signal != 0) DieBySignal(ending.value().signal);
  return ending.value().exit_code;
}

// Runs the training, with rules, profiler, events and summary around it.
Result<int> Launch(const RunOptions& options, Plan plan, RunEvents* events, Output* out) {
  const bool talk = options.verbose || isatty(STDERR_FILENO) == 1;
  SummaryOptions summary{options.verbose, watch::NamedRules(plan.task.rules), {}};
  const auto begun = std::chrono::steady_clock::now();
  plan.task.command = fmt::format("{}", fmt::join(trial::WithoutSecrets(options.words), " "));
  plan.task.profiler = plan.profile.folder;
  plan.task.report = plan.profile.report;
  plan.task.xgboost_report =
      !options.profile.no_report || watch::WantsXgboostReport(plan.task.rules);
  if (plan.others) plan.task.stop_others = [&plan] { return plan.others->Stop(); };
  MonitorBesideProgram monitor(plan.profile);
  LiveDisplay display(talk ? LiveDisplay::Progress::kLines : LiveDisplay::Progress::kNone,
                      options.verbose, events, out);
  watch::BackgroundWatch watching(std::move(plan.task), plan.folder.path, &display);
  std::unique_ptr<daemon::Viewer> viewer;
  const auto tee = options.no_log ? nullptr : OutputTee::Start(trial::LogFolder(plan.folder.path));
  trial::RunRecord record;
  record.command = trial::WithoutSecrets(options.words);
  OriginRecorder origin;
  record.started = SecondsSince1970();
  const auto started = [&](pid_t pid) {
    // From here on only the child decides how we end, not a reader that has closed its pipe.
    std::signal(SIGPIPE, SIG_IGN);
    if (tee) tee->CloseInputs();
    if (talk) TellStart(plan.config, plan.folder, options.verbose, out);
    events->Write("start", {{"command", options.words},
                            {"pid", pid},
                            {"run", PlaceOf(plan.folder)},
                            {"config", plan.folder.config_file}});
    monitor.Start(pid, out);
    watching.Start(pid);
    Record(plan.folder.path, record);
    if (!options.no_origin) origin.Start(plan.folder.path, options.words, plan.program);
    viewer = ShowRun(options, plan.folder.path, out);
  };
  const auto ending = RunChild({plan.program, options.words, EnvironmentOf(options, plan), started,
                                tee ? tee->output() : -1, tee ? tee->errors() : -1, [&] {
                                  if (tee) tee->Resize();
                                }});
  if (!ending.ok()) return RefusalCode(ending.status(), out);
  if (tee) tee->Drain();
  if (plan.others) {
    plan.others->WaitForOthers(ending.value().signal == 0 ? kOthersEnd : kOthersKilled);
  }
  monitor.Finish();
  watching.Finish();
  record.ended = SecondsSince1970();
  if (ending.value().signal == 0) {
    record.exit_code = ending.value().exit_code;
  } else {
    record.signal = ending.value().signal;
  }
  Record(plan.folder.path, record);
  origin.Finish();
  const watch::Watched& watched = watching.watched();
  const bool tell = talk || !watched.status.ok() || HasNews(watched.reports) ||
                    watching.stopped_the_training() || !options.rules.shadow.empty();
  if (tell || events->wanted()) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    const Captured captured = LookInto(plan.folder.path, watched.gpus);
    summary.facts = captured.facts;
    summary.machine = watched.machine.get();
    if (tell) {
      TellSummary(watching, summary,
                  {plan.folder.run, viewer == nullptr ? "" : viewer->Link(plan.folder.path),
                   FromHere(PlaceOf(plan.folder, watched.report_page)),
                   FromHere(PlaceOf(plan.folder, watched.xgboost_page))},
                  out);
    }
    Json fields = EndFields(ending.value(), took.count(), PlaceOf(plan.folder), captured);
    fields["report"] = PlaceOf(plan.folder, watched.report_page);
    if (!watched.xgboost_page.empty()) {
      fields["xgboost_report"] = PlaceOf(plan.folder, watched.xgboost_page);
    }
    fields["stopped"] = watching.stopped_the_training();
    const Json reports = ReportsJson(PlaceOf(plan.folder), watched.reports, watched.machine.get());
    fields["incidents"] = reports["incidents"];
    fields["rules"] = reports["rules"];
    events->Write("end", fields);
  }
  KeepShowing(viewer.get(), out);
  if (const auto spooled = storage::spool::FindByFolder(plan.folder.path)) {
    WaitForUpload(*spooled, out);
  }
  if (watching.stopped_the_training()) return kIssuesFound;
  if (ending.value().signal != 0) DieBySignal(ending.value().signal);
  // The command's own failure says more.
  const bool fails = HasFinding(watched.reports, FailOn(options.fail_on));
  return ending.value().exit_code == kDone && fails ? kIssuesFound : ending.value().exit_code;
}

// The rule for --baseline. The first run of a script has no good one before it, and trains without.
void AddBaseline(const RunOptions& options, const config::LaunchConfig& config,
                 std::vector<rules::RuleConfig>* rules, Output* out) {
  if (options.baseline.empty()) return;
  if (options.baseline != watch::kLastGood) {
    watch::AddBaselineRule(options.baseline, rules);
    return;
  }
  trial::RunRecord record;
  record.command = options.words;
  const std::string beside = (std::filesystem::path(config.out_dir) / "..").lexically_normal();
  const auto good = watch::FindLastGoodRun(
      {config.out_dir.empty() ? capture::kDefaultRunsFolder : beside, record.Script(), ""});
  if (good.ok()) {
    watch::AddBaselineRule(good.value(), rules);
    if (options.verbose) out->Tell("comparing with " + Printable(good.value()));
  } else {
    out->Tell(fmt::format("--baseline: {}. Training without a baseline.",
                          Printable(good.status().message())));
  }
}

// The name of the run's folder, if nobody chose one.
std::string FolderName(const RunOptions& options, const std::optional<SlurmTask>& slurm) {
  const std::string name = NameOfCommand(options.words);
  if (!slurm) return name;
  if (slurm->size == 1 || !options.separate) return fmt::format("{}-{}", name, slurm->Name());
  return fmt::format("{}-{}-task{}", name, slurm->Name(), slurm->rank);
}

// Tells processes of the training that tasks of Slurm are its workers, and which node this is.
void NameWorkers(const SlurmTask& slurm) {
  setenv("TENSORWARDEN_SLURM", "1", 1);
  if (slurm.size > 1) {
    setenv("TENSORWARDEN_NODE", fmt::format("algo-{}", slurm.node + 1).c_str(), /*replace=*/0);
  }
}

// Before a training starts whose run goes to S3. A server that is away may come back.
Status CheckOutput(const std::string& place, bool several_tasks, Output* out) {
  if (!storage::IsRemote(place)) return Status();
  if (several_tasks) {
    return Status(Code::kInvalid,
                  fmt::format("the run is to be saved to {}; expected a folder that all tasks of "
                              "the Slurm step share ('warden upload --follow' sends it to S3)",
                              place));
  }
  Status status = storage::s3::CheckPlace(place);
  if (status.code() == Code::kExists) {
    return Status(Code::kInvalid, status.message() + "; choose another place with --out");
  }
  if (status.code() != Code::kUnavailable) return status;
  out->Tell(fmt::format("{}; files wait on this machine until it does", status.message()));
  return Status();
}

Result<int> RunCommand(const RunOptions& options, Output* own_out) {
  if (options.words.empty()) {
    return Status(Code::kInvalid,
                  "no command given; put it after '--': warden run -- python3 train.py");
  }
  const auto slurm = FindSlurmTask([](const char* name) { return std::getenv(name); });
  const bool together = slurm && slurm->size > 1 && !options.separate;
  const bool follows = together && slurm->rank > 0;
  // What concerns all tasks is said by the first.
  Output quiet(-1, -1, Terminal());
  Output* const out = follows ? &quiet : own_out;
  auto config = config::MakeLaunchConfig(options.flags);
  if (!config.ok()) return config.status();
  auto rule_configs = watch::ChooseRules(options.rules, "default", nullptr);
  if (!rule_configs.ok()) return rule_configs.status();
  AddBaseline(options, config.value(), &rule_configs.value(), out);
  if (options.profile.depth != "off" && !options.profile.no_report) {
    watch::AddReportRule(&rule_configs.value());
  }
  auto ready = ReadyRules(std::move(rule_configs.value()), out);
  if (!ready.ok()) return ready.status();
  auto alarms = MakeAlarms(options.alarms, ready.value());
  if (!alarms.ok()) return alarms.status();
  const Status saves = watch::SaveForRules(ready.value(), &config.value());
  if (!saves.ok()) return saves;
  const auto budget = BudgetFor(options, config.value());
  if (!budget.ok()) return budget.status();
  const auto guard = GuardVariables(options.guard);
  if (!guard.ok()) return guard.status();
  const auto program = FindProgram(options.words[0]);
  if (!program.ok()) return RefusalCode(program.status(), own_out);
  auto events = follows ? RunEvents::ToNowhere() : OpenEvents(options);
  if (!events.ok()) return events.status();
  if (Status status = CheckOutput(config.value().out_dir, together, out); !status.ok()) {
    return status;
  }
  storage::spool::StartLeftUploads();
  for (const auto& [name, value] : guard.value()) setenv(name.c_str(), value.c_str(), 1);
  if (slurm && !options.separate) NameWorkers(*slurm);
  const auto launch = slurm ? slurm->Launch(options.separate) : capture::SharedLaunch();
  const auto folder = capture::MakeLaunchFolder(config.value(), FolderName(options, slurm),
                                                slurm ? &launch : nullptr);
  if (!folder.ok()) return folder.status();
  if (!options.checkpoints.empty()) {
    const Status noted = NoteStepsAtCheckpoints(options.checkpoints, folder.value().path);
    if (!noted.ok()) return noted.WithContext("--checkpoints");
  }
  const auto profile = PlanProfile(options.profile, folder.value().path);
  if (!profile.ok()) return profile.status();
  const auto python_site = FindPythonSite(OwnProgram());
  if (!python_site) out->Tell(kNoPackages);
  Plan plan{program.value(),
            std::move(config.value()),
            {std::move(ready.value()), std::move(alarms.value())},
            folder.value(),
            profile.value(),
            python_site,
            budget.value()};
  if (together) {
    auto others = TaskMarks::Open(folder.value().path, launch);
    if (!others.ok()) return others.status();
    plan.slurm = slurm;
    plan.others = std::move(others.value());
  }
  return follows ? Follow(options, plan, own_out)
                 : Launch(options, std::move(plan), &events.value(), out);
}

void DefineRun(Command* command) {
  auto options = std::make_shared<RunOptions>();
  config::LaunchFlags& flags = options->flags;
  command->OtherProgram(&options->words);
  command->Text("--config", &flags.config, "JSON file with the hook configuration");
  command->Text("--out", &flags.out_dir,
                "Folder of the run, or s3://bucket/folder (default: the configuration's, or a new\n"
                "one in warden-runs/)");
  command->Text("--save-interval", &flags.save_interval, "Save every N steps");
  command->Text("--budget", &options->budget,
                "Share of the training time for capture, in percent (default: 1). Statistics are\n"
                "saved as often as that allows, at least every 50 steps");
  DefineGuardFlags(command, &options->guard);
  command->Text("--collections", &flags.collections,
                "Collections to save: weights,biases,gradients,...");
  command->Text("--reductions", &flags.reductions,
                "Statistics to save for each tensor: mean,abs_max,...; none: whole tensors");
  command->Switch("--save-all", &flags.save_all,
                  "Save every tensor, including layer inputs and outputs");
  command->Texts("--include-regex", &flags.include_regex,
                 "Also save tensors with matching names; may be repeated");
  command->Choice("--workers", &flags.workers, {"one", "all"},
                  "Workers of a distributed training that save");
  command->Switch("--separate", &options->separate,
                  "In a Slurm step with several tasks: each is a separate training");
  command->Text(
      "--checkpoints", &options->checkpoints,
      "Folder of the training's checkpoints. A training that is started again in the same\n"
      "folder continues at the step of the last one");
  command->Switch("--tensorboard", &flags.tensorboard, "Also write TensorBoard files");
  command->Choice("--fsync", &flags.fsync, {"off", "step", "close"},
                  "When to bring the run to the disk, to survive a power loss (default: off)");
  DefineRuleFlags(command, &options->rules);
  DefineShadowFlag(command, &options->rules);
  DefineBaselineFlag(command, &options->baseline);
  DefineAlarmFlags(command, &options->alarms);
  DefineFailOn(command, &options->fail_on);
  DefineProfileFlags(command, &options->profile);
  command->Switch("--no-log", &options->no_log,
                  "Do not keep a copy of the command's output in the run's folder");
  command->Switch(
      "--no-origin", &options->no_origin,
      "Do not record the environment, git state, Python packages and machine of the run");
  command->Switch("--open", &options->open, "Open the run in a browser while it trains");
  command->Text("--events", &options->events, "File for events, one JSON object per line");
  command->Switch("--json", &options->json, "Write events to standard error");
  command->Switch("-v,--verbose", &options->verbose,
                  "Show progress without a terminal too, every finding, and the rules that were\n"
                  "not evaluated");
  command->Footer(
      "Usage: warden run [OPTIONS] -- COMMAND...\n\n"
      "Runs the command unchanged: same input, output, signals and exit code. Saves what it\n"
      "trains with PyTorch, Keras or XGBoost. By default: losses at every step, and statistics\n"
      "of weights, biases and gradients as often as 1 % of the training time allows (Keras: every\n"
      "50 steps). Rules check the run while it trains;\n"
      "findings are printed to standard error at once, and summarized at the end. Also samples\n"
      "the machine, times steps and phases, and writes a profiling report.\n\n"
      "Exit code: the command's; 2 usage error, 3 stopped by a rule (--stop-on) or problems found\n"
      "(--fail-on), 126 command not executable, 127 command not found.\n\n"
      "Started by `srun` with several tasks, all save one run in a shared folder; the first task\n"
      "evaluates rules and prints the summary.\n\n"
      "Examples:\n"
      "  warden run -- python3 train.py --epochs 3\n"
      "  warden run --save-interval 10 --collections gradients -- torchrun train.py\n"
      "  warden run --rules VanishingGradient,DeadRelu --stop-on any -- python3 train.py\n"
      "  srun --nodes=2 warden run --workers all -- python3 train.py");
  command->Runs(options, RunCommand);
}

}  // namespace

CommandEntry RunACommand() {
  return {"run", "Run a training and check it live", DefineRun,
          /*runs_other_program=*/true};
}

}  // namespace warden::cli
