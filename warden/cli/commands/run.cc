#include "warden/cli/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>

#include "warden/base/json.h"
#include "warden/capture/launch_folder.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/child.h"
#include "warden/cli/launch/environment.h"
#include "warden/cli/launch/find_program.h"
#include "warden/cli/launch/python_site.h"
#include "warden/cli/launch/run_events.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

// What shells answer for a command that is not there or cannot be executed.
constexpr int kNoSuchCommand = 127;
constexpr int kNotExecutable = 126;

constexpr char kNoPackages[] =
    "nothing will be captured: our Python packages were not found beside this program; set "
    "TENSORWARDEN_PYTHON to the folder that has 'tensorwarden' in it";

struct Options {
  std::vector<std::string> words;
  config::LaunchFlags flags;
  std::string events;
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
    out->Tell("nothing was saved: no PyTorch model was trained, or see above");
    return;
  }
  out->Tell(fmt::format("saved {} of {} in {}", CountOf(captured.steps, "step"),
                        CountOf(captured.tensors, "tensor"), Printable(run)));
  out->Tell(fmt::format("next: warden trial tensors {}", Printable(run)));
}

void TellStart(const config::LaunchConfig& config, const capture::LaunchFolder& folder,
               bool verbose, Output* out) {
  out->Tell(fmt::format("saving to {}", Printable(folder.run)));
  if (!verbose) return;
  out->Tell(fmt::format("configuration: {}, from {}", Printable(folder.config_file),
                        config.source.empty() ? "our default" : Printable(config.source)));
}

Result<RunEvents> OpenEvents(const Options& options) {
  if (!options.events.empty()) return RunEvents::ToFile(options.events);
  return options.json ? RunEvents::ToStandardError() : RunEvents::ToNowhere();
}

int RefusalCode(const Status& status, Output* out) {
  out->Tell(Printable(status.message()));
  return status.code() == Code::kNotFound ? kNoSuchCommand : kNotExecutable;
}

// Runs the program, with what is told and reported around it.
Result<int> Launch(const Options& options, const std::string& program,
                   const config::LaunchConfig& config, const capture::LaunchFolder& folder,
                   const std::optional<std::string>& python_site, RunEvents* events, Output* out) {
  const bool talk = options.verbose || isatty(STDERR_FILENO) == 1;
  const auto begun = std::chrono::steady_clock::now();
  const auto started = [&](pid_t pid) {
    // From here on only the child decides how we end, not a reader that has gone.
    std::signal(SIGPIPE, SIG_IGN);
    if (talk) TellStart(config, folder, options.verbose, out);
    events->Write("start", {{"command", options.words},
                            {"pid", pid},
                            {"run", folder.path},
                            {"config", folder.config_file}});
  };
  const auto ending =
      RunChild({program, options.words,
                CaptureEnvironment(folder.config_file, python_site, options.verbose), started});
  if (!ending.ok()) return RefusalCode(ending.status(), out);
  if (talk || events->wanted()) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    const Captured captured = LookInto(folder.path);
    if (talk) TellCaptured(folder.run, captured, out);
    events->Write("end", EndFields(ending.value(), took.count(), folder.path, captured));
  }
  if (ending.value().signal != 0) DieBySignal(ending.value().signal);
  return ending.value().exit_code;
}

Result<int> RunCommand(const Options& options, Output* out) {
  if (options.words.empty()) {
    return Status(Code::kInvalid,
                  "no command: it goes after '--', as in 'warden run -- python3 x.py'");
  }
  const auto config = config::MakeLaunchConfig(options.flags);
  if (!config.ok()) return config.status();
  const auto program = FindProgram(options.words[0]);
  if (!program.ok()) return RefusalCode(program.status(), out);
  auto events = OpenEvents(options);
  if (!events.ok()) return events.status();
  const auto folder = capture::MakeLaunchFolder(config.value(), NameOfCommand(options.words));
  if (!folder.ok()) return folder.status();
  const auto python_site = FindPythonSite(OwnProgram());
  if (!python_site) out->Tell(kNoPackages);
  return Launch(options, program.value(), config.value(), folder.value(), python_site,
                &events.value(), out);
}

void Define(Command* command) {
  auto options = std::make_shared<Options>();
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
  command->Text("--events", &options->events, "File for events, one JSON object to a line");
  command->Switch("--json", &options->json, "Events go to standard error, without --events");
  command->Switch("-v,--verbose", &options->verbose, "Say what is done, even without a terminal");
  command->Footer(
      "Usage: warden run [OPTIONS] -- COMMAND...\n\n"
      "The command after '--' runs as it would by itself: same input, output, signals and exit\n"
      "code. What it trains with PyTorch is saved. Without a configuration: the losses of every\n"
      "step, and figures of weights, biases and gradients every 50th.\n\n"
      "Exit code: the command's; 2 used wrongly, 126 it cannot be executed, 127 there is none.\n\n"
      "Examples:\n"
      "  warden run -- python3 train.py --epochs 3\n"
      "  warden run --save-interval 10 --collections gradients -- torchrun train.py");
  command->Runs(options, RunCommand);
}

}  // namespace

CommandEntry RunACommand() {
  return {"run", "Run a training command and save what it trains", Define,
          /*runs_other_program=*/true};
}

}  // namespace warden::cli
