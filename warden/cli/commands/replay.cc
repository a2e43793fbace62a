// warden replay: runs a step again that `warden run --guard dump` has dumped.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/child.h"
#include "warden/cli/launch/environment.h"
#include "warden/cli/launch/python_site.h"
#include "warden/dashboard/site/places.h"
#include "warden/rules/custom/find_python.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  std::string run;
  std::string step;
  std::string reference = "float32";
  std::string model;
  std::string worker;
  std::string python;
  bool trust = false;
  bool all = false;
  bool json = false;
};

// The Python that wrote a dump of this run; empty if it is not here.
std::string PythonOfDumps(const std::string& run) {
  std::error_code error;
  for (fs::directory_iterator at(fs::path(run) / "dumps", error), end; !error && at != end;
       at.increment(error)) {
    std::ifstream file(at->path() / "index.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto index = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!index.is_object() || !index.contains("program") || !index["program"].is_string()) continue;
    auto program = index["program"].get<std::string>();
    if (access(program.c_str(), X_OK) == 0) return program;
  }
  return "";
}

Result<std::string> PythonFor(const ReplayOptions& options, const std::string& run) {
  if (!options.python.empty()) return options.python;
  std::string written = PythonOfDumps(run);
  if (!written.empty()) return written;
  return rules::FindPython(rules::OwnProgramFile());
}

Result<int> ReplayStep(const ReplayOptions& options, Output* /*out*/) {
  const auto step = ParseInt(options.step);
  if (!step || *step < 0) {
    return Status(Code::kInvalid,
                  fmt::format("STEP is '{}'; expected a number of at least 0", options.step));
  }
  const auto places = dashboard::RunIn(options.run);
  const std::string run = places ? places->tensors : options.run;
  const auto site = FindPythonSite(OwnProgram());
  if (!site) {
    return Status(Code::kNotFound,
                  "the tensorwarden Python package was not found next to `warden`; set "
                  "TENSORWARDEN_PYTHON");
  }
  const auto python = PythonFor(options, run);
  if (!python.ok()) return python.status();

  ChildOptions child;
  child.program = python.value();
  child.words = {
      python.value(),   *site + "/_tensorwarden_replay.py", run, options.step, "--reference",
      options.reference};
  if (!options.model.empty()) child.words.insert(child.words.end(), {"--model", options.model});
  if (!options.worker.empty()) child.words.insert(child.words.end(), {"--worker", options.worker});
  if (options.trust) child.words.emplace_back("--trust");
  if (options.all) child.words.emplace_back("--all");
  if (options.json) child.words.emplace_back("--json");
  child.environment = EnvironmentWith({});
  const auto ending = RunChild(child);
  if (!ending.ok()) return ending.status();
  if (ending.value().signal != 0) DieBySignal(ending.value().signal);
  return ending.value().exit_code;
}

void DefineReplay(Command* command) {
  auto options = std::make_shared<ReplayOptions>();
  command->Run(&options->run);
  command->Positional("STEP", &options->step, "Step that was dumped");
  command->Choice("--reference", &options->reference, {"float32", "float64"},
                  "Precision to compare with (default: float32)");
  command->Text("--worker", &options->worker,
                "Worker whose dump is used, such as worker_1 (default: where it began, if known)");
  command->Text("--model", &options->model,
                "MODULE:FUNCTION that builds the model, if it could not be pickled");
  command->Text("--python", &options->python,
                "Python to use (default: the one that wrote the dump)");
  command->Switch("--trust", &options->trust, "Load the dump of another user");
  command->Switch("--all", &options->all, "Show all modules");
  command->Json(&options->json);
  command->Footer(
      "Runs forward and backward of a step again that 'warden run --guard dump' has dumped: "
      "module\n"
      "by module, in its original precision and in float32. Shows the first value that is not\n"
      "finite, and where the two part. Loading a dump runs code that it names: replay only runs\n"
      "that you trust. Exit code: 0 replayed, 1 error, 2 usage error.\n\n"
      "Examples:\n"
      "  warden run --guard skip,dump --out runs/a -- python3 train.py\n"
      "  warden replay runs/a 1204\n"
      "  warden replay runs/a 1204 --reference float64 --json");
  command->Runs(options, ReplayStep);
}

}  // namespace

CommandEntry Replay() {
  return {"replay", "Run a dumped step again and show where it stopped being finite", DefineReplay};
}

}  // namespace warden::cli
