#include "warden/cli/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/capture/launch_folder.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/browser.h"
#include "warden/cli/launch/child.h"
#include "warden/cli/launch/environment.h"
#include "warden/cli/launch/find_program.h"
#include "warden/cli/launch/interrupt.h"
#include "warden/cli/launch/local_jobs.h"
#include "warden/cli/launch/profiling.h"
#include "warden/cli/launch/python_site.h"
#include "warden/cli/launch/run_events.h"
#include "warden/cli/rules/alarms.h"
#include "warden/cli/rules/choice.h"
#include "warden/cli/rules/judges.h"
#include "warden/cli/rules/live_xgboost_report.h"
#include "warden/cli/rules/verdict_text.h"
#include "warden/cli/text.h"
#include "warden/service/daemon/viewer.h"
#include "warden/service/dashboard/site/run_record.h"

namespace warden::cli {
namespace {

// What shells answer for a command that is not there or cannot be executed.
constexpr int kNoSuchCommand = 127;
constexpr int kNotExecutable = 126;

// Between asking the program to end, by the dashboard, and ending it.
constexpr std::chrono::seconds kDashboardGrace{30};

constexpr char kNoPackages[] =
    "nothing will be captured: our Python packages were not found beside this program; set "
    "TENSORWARDEN_PYTHON to the folder that has 'tensorwarden' in it";

struct RunOptions {
  std::vector<std::string> words;
  config::LaunchFlags flags;
  RuleFlags rules;
  AlarmFlags alarms;
  ProfileFlags profile;
  std::string events;
  bool open = false;
  bool json = false;
  bool verbose = false;
};

// What the run's folder holds in the end.
struct Captured {
  size_t steps = 0;
  size_t tensors = 0;
  std::vector<std::string> workers;
  bool finished = false;
};

Captured LookInto(const std::string& folder) {
  Captured captured;
  const auto run = OpenRun(folder);
  if (!run.ok()) return captured;
  captured.steps = run.value().trial->Steps(Mode::kGlobal, /*include_incomplete=*/true).size();
  if (const auto names = run.value().trial->TensorNames(); names.ok()) {
    captured.tensors = names.value().size();
  }
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
          {"steps", captured.steps},
          {"tensors", captured.tensors},
          {"workers", captured.workers},
          {"finished", captured.finished}};
}

void TellCaptured(const std::string& run, const Captured& captured, Output* out) {
  if (captured.steps == 0) {
    out->Tell(
        "nothing was saved: nothing was trained with PyTorch, Keras or XGBoost, or see above");
    return;
  }
  out->Tell(fmt::format("saved {} of {} in {}", CountOf(captured.steps, "step"),
                        CountOf(captured.tensors, "tensor"), Printable(run)));
  out->Tell(fmt::format("next: warden trial tensors {}", Printable(run)));
}

// As a person here would name it.
std::string FromHere(const std::string& path) {
  std::error_code error;
  const std::string near = std::filesystem::proximate(path, error).string();
  return error || near.empty() || near.starts_with("..") ? path : near;
}

void TellReports(const Watched& watched, Output* out) {
  const auto tell = [&](const char* what, const std::string& page) {
    if (!page.empty()) out->Tell(fmt::format("{}: {}", what, Printable(FromHere(page))));
  };
  tell("profiling report", watched.report_page);
  tell("XGBoost report", watched.xgboost_page);
}

void TellStart(const config::LaunchConfig& config, const capture::LaunchFolder& folder,
               bool verbose, Output* out) {
  out->Tell(fmt::format("saving to {}", Printable(folder.run)));
  if (!verbose) return;
  out->Tell(fmt::format("configuration: {}, from {}", Printable(folder.config_file),
                        config.source.empty() ? "our default" : Printable(config.source)));
}

Result<RunEvents> OpenEvents(const RunOptions& options) {
  if (!options.events.empty()) return RunEvents::ToFile(options.events);
  return options.json ? RunEvents::ToStandardError() : RunEvents::ToNowhere();
}

int RefusalCode(const Status& status, Output* out) {
  out->Tell(Printable(status.message()));
  return status.code() == Code::kNotFound ? kNoSuchCommand : kNotExecutable;
}

// What is ready before the program starts.
struct Plan {
  std::string program;
  config::LaunchConfig config;
  Judging judging;
  capture::LaunchFolder folder;
  ProfilePlan profile;
  std::optional<std::string> python_site;
};

// The summary goes beside the program's own output, not into it.
void TellVerdicts(const Watched& watched, bool talk, bool stopped, Output* out) {
  if (!watched.status.ok()) {
    out->Tell("the rules could not judge: " + Printable(watched.status.message()));
    return;
  }
  const bool found = VerdictCode(watched.reports) != kDone;
  if (stopped) out->Tell("the program was stopped because of what was found");
  if (!found && !talk) return;
  Output messages(STDERR_FILENO, STDERR_FILENO, DetectTerminal(STDERR_FILENO));
  PrintVerdicts(watched.reports, /*explain=*/false, &messages);
  (void)messages.Flush();
}

// The dashboard of this run; nothing if it is not wanted or cannot be.
std::unique_ptr<service::Viewer> ShowRun(const RunOptions& options, const std::string& run,
                                         Output* out) {
  if (!options.open) return nullptr;
  service::ServiceOptions viewer;
  viewer.listen = "127.0.0.1:0";
  viewer.runs = {run};
  viewer.local_runs = LocalJobs::ForDashboard(kDashboardGrace);
  auto started = service::Viewer::Start(viewer);
  if (!started.ok()) {
    out->Tell("there is no dashboard: " + Printable(started.status().message()));
    return nullptr;
  }
  const std::string link = started.value()->Link(run);
  out->Tell("dashboard: " + link);
  // Where there is no browser the line above is to be used.
  (void)OpenInBrowser(link);
  return std::move(started.value());
}

// Of a run that is over, as long as somebody is there to look.
void KeepShowing(const service::Viewer* viewer, Output* out) {
  if (viewer == nullptr || isatty(STDERR_FILENO) != 1) return;
  out->Tell("the dashboard goes on; Ctrl-C ends it");
  CatchInterrupts();
  while (!Interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

double SecondsSince1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// In the run's folder, for whoever looks at it later. Nothing depends on it.
void Record(const std::string& run, const service::RunRecord& record) {
  const Status status = service::WriteRunRecord(run, record);
  if (!status.ok()) LogWarning("{}", status.message());
}

// Runs the program, with what is told and reported around it.
Result<int> Launch(const RunOptions& options, Plan plan, RunEvents* events, Output* out) {
  const bool talk = options.verbose || isatty(STDERR_FILENO) == 1;
  const auto begun = std::chrono::steady_clock::now();
  plan.judging.command = fmt::format("{}", fmt::join(options.words, " "));
  plan.judging.profiler = plan.profile.folder;
  plan.judging.report = plan.profile.report;
  plan.judging.xgboost_report =
      !options.profile.no_report || WantsXgboostReport(plan.judging.rules);
  MonitorBesideProgram monitor(plan.profile);
  Judges judges(std::move(plan.judging), plan.folder.path, talk, events, out);
  std::unique_ptr<service::Viewer> viewer;
  service::RunRecord record;
  record.command = options.words;
  record.started = SecondsSince1970();
  const auto started = [&](pid_t pid) {
    // From here on only the child decides how we end, not a reader that has gone.
    std::signal(SIGPIPE, SIG_IGN);
    if (talk) TellStart(plan.config, plan.folder, options.verbose, out);
    events->Write("start", {{"command", options.words},
                            {"pid", pid},
                            {"run", plan.folder.path},
                            {"config", plan.folder.config_file}});
    monitor.Start(pid, out);
    judges.Start(pid);
    Record(plan.folder.path, record);
    viewer = ShowRun(options, plan.folder.path, out);
  };
  const auto ending =
      RunChild({plan.program, options.words,
                CaptureEnvironment(plan.folder.config_file, plan.profile.config_file,
                                   plan.python_site, options.verbose),
                started});
  if (!ending.ok()) return RefusalCode(ending.status(), out);
  monitor.Finish();
  judges.Finish();
  record.ended = SecondsSince1970();
  if (ending.value().signal == 0) {
    record.exit_code = ending.value().exit_code;
  } else {
    record.signal = ending.value().signal;
  }
  Record(plan.folder.path, record);
  TellVerdicts(judges.watched(), talk, judges.stopped_the_program(), out);
  if (talk || events->wanted()) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    const Captured captured = LookInto(plan.folder.path);
    if (talk) TellCaptured(plan.folder.run, captured, out);
    if (talk) TellReports(judges.watched(), out);
    Json fields = EndFields(ending.value(), took.count(), plan.folder.path, captured);
    fields["report"] = judges.watched().report_page;
    if (!judges.watched().xgboost_page.empty()) {
      fields["xgboost_report"] = judges.watched().xgboost_page;
    }
    fields["stopped"] = judges.stopped_the_program();
    fields["rules"] = VerdictsJson(plan.folder.path, judges.watched().reports)["rules"];
    events->Write("end", fields);
  }
  KeepShowing(viewer.get(), out);
  if (judges.stopped_the_program()) return kIssuesFound;
  if (ending.value().signal != 0) DieBySignal(ending.value().signal);
  return ending.value().exit_code;
}

// Rules that were named, not those of a preset, have what they need saved.
Status SaveForRules(const std::vector<rules::PreparedRule>& prepared,
                    config::LaunchConfig* config) {
  std::vector<config::NeededCollection> needed;
  for (const rules::PreparedRule& rule : prepared) {
    if (rule.config.of_preset) continue;
    for (const rules::Saves& saves : rule.spec->saves) {
      needed.push_back(
          {std::string(saves.collection), std::string(saves.include_regex), saves.whole_tensors});
    }
  }
  return config::AddCollections(needed, config);
}

Result<int> RunCommand(const RunOptions& options, Output* out) {
  if (options.words.empty()) {
    return Status(Code::kInvalid,
                  "no command: it goes after '--', as in 'warden run -- python3 x.py'");
  }
  auto config = config::MakeLaunchConfig(options.flags);
  if (!config.ok()) return config.status();
  auto rule_configs = ChooseRules(options.rules, "default", nullptr);
  if (!rule_configs.ok()) return rule_configs.status();
  if (options.profile.depth != "off" && !options.profile.no_report) {
    AddReportRule(&rule_configs.value());
  }
  auto ready = ReadyRules(std::move(rule_configs.value()), out);
  if (!ready.ok()) return ready.status();
  auto alarms = Alarms::Make(options.alarms, ready.value());
  if (!alarms.ok()) return alarms.status();
  const Status saves = SaveForRules(ready.value(), &config.value());
  if (!saves.ok()) return saves;
  const auto program = FindProgram(options.words[0]);
  if (!program.ok()) return RefusalCode(program.status(), out);
  auto events = OpenEvents(options);
  if (!events.ok()) return events.status();
  const auto folder = capture::MakeLaunchFolder(config.value(), NameOfCommand(options.words));
  if (!folder.ok()) return folder.status();
  const auto profile = PlanProfile(options.profile, folder.value().path);
  if (!profile.ok()) return profile.status();
  const auto python_site = FindPythonSite(OwnProgram());
  if (!python_site) out->Tell(kNoPackages);
  return Launch(options,
                {program.value(),
                 std::move(config.value()),
                 {std::move(ready.value()), std::move(alarms.value())},
                 folder.value(),
                 profile.value(),
                 python_site},
                &events.value(), out);
}

void DefineRun(Command* command) {
  auto options = std::make_shared<RunOptions>();
  config::LaunchFlags& flags = options->flags;
  command->OtherProgram(&options->words);
  command->Text("--config", &flags.config, "Hook configuration to start from, a JSON file");
  command->Text("--out", &flags.out_dir,
                "Folder of the run; else the configuration's, else a new one below warden-runs/");
  command->Text("--save-interval", &flags.save_interval, "Save every N-th step");
  command->Text("--collections", &flags.collections, "What to save: weights,biases,gradients,...");
  command->Text("--reductions", &flags.reductions,
                "Figures to save of each tensor: mean,abs_max,...; none: whole tensors");
  command->Switch("--save-all", &flags.save_all, "Save every tensor, inputs and outputs too");
  command->Texts("--include-regex", &flags.include_regex,
                 "Also save tensors whose names match; may be repeated");
  command->Choice("--workers", &flags.workers, {"one", "all"},
                  "Which workers of a distributed job save");
  command->Switch("--tensorboard", &flags.tensorboard, "Write files for TensorBoard too");
  DefineRuleFlags(command, &options->rules);
  DefineAlarmFlags(command, &options->alarms);
  DefineProfileFlags(command, &options->profile);
  command->Switch("--open", &options->open, "Show the run in a browser while it goes on");
  command->Text("--events", &options->events, "File for events, one JSON object to a line");
  command->Switch("--json", &options->json, "Events go to standard error, without --events");
  command->Switch("-v,--verbose", &options->verbose, "Say what is done, even without a terminal");
  command->Footer(
      "Usage: warden run [OPTIONS] -- COMMAND...\n\n"
      "The command after '--' runs as it would by itself: same input, output, signals and exit\n"
      "code. What it trains with PyTorch is saved. Without a configuration: the losses of every\n"
      "step, and figures of weights, biases and gradients every 50th. Rules judge what is saved "
      "as\n"
      "it is saved; what they find is told at once, on standard error, and summed up at the "
      "end.\n"
      "The machine is sampled, steps and phases are timed, and a profiling report is written; of "
      "an\n"
      "XGBoost training also one on what it has learnt.\n\n"
      "Exit code: the command's; 2 used wrongly, 3 stopped by a rule (--stop-on), 126 it cannot "
      "be\n"
      "executed, 127 there is none.\n\n"
      "Examples:\n"
      "  warden run -- python3 train.py --epochs 3\n"
      "  warden run --save-interval 10 --collections gradients -- torchrun train.py\n"
      "  warden run --rules VanishingGradient,DeadRelu --stop-on any -- python3 train.py");
  command->Runs(options, RunCommand);
}

}  // namespace

CommandEntry RunACommand() {
  return {"run", "Run a training command, save what it trains, judge it live", DefineRun,
          /*runs_other_program=*/true};
}

}  // namespace warden::cli
