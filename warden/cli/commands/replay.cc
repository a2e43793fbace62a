// warden replay: runs a step again that `warden run --guard dump` has dumped.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/child.h"
#include "warden/cli/launch/environment.h"
#include "warden/cli/launch/python_site.h"
#include "warden/cli/text.h"
#include "warden/dashboard/site/places.h"
#include "warden/os/open_beneath.h"
#include "warden/os/posix.h"
#include "warden/os/whole_file.h"
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

// What a dump names as the program to run it with, and whose word that is.
struct NamedProgram {
  std::string path;
  std::string dump;
  uid_t owner = 0;
};

std::string ProgramIn(const os::UniqueFd& index) {
  const auto text = os::ReadWholeFile(fmt::format("/proc/self/fd/{}", index.get()));
  const auto json = ParseJson(text.value_or(""));
  return json.ok() ? TextOf(MemberOf(json.value(), "program")) : "";
}

// Nothing if it names none that is here.
std::optional<NamedProgram> ProgramOf(const std::string& dump) {
  // By descriptors: what is read is what was looked at.
  const os::UniqueFd folder(open(dump.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.ok()) return std::nullopt;
  const auto index = os::OpenFileBeneath(folder.get(), "index.json");
  struct stat of_folder{}, of_index{};
  if (!index.ok() || fstat(folder.get(), &of_folder) != 0 ||
      fstat(index.value().get(), &of_index) != 0) {
    return std::nullopt;
  }
  const bool is_our_folder = of_folder.st_uid == geteuid();
  NamedProgram named{ProgramIn(index.value()), dump,
                     is_our_folder ? of_index.st_uid : of_folder.st_uid};
  if (named.path.empty() || access(named.path.c_str(), X_OK) != 0) return std::nullopt;
  return named;
}

// The Python that wrote a dump of this run; empty if it is not here. Whoever wrote a dump could
// name any program, so those of this user come first and others need `trust`.
Result<std::string> PythonOfDumps(const std::string& run, bool trust) {
  std::optional<NamedProgram> others;
  std::error_code error;
  for (fs::directory_iterator at(fs::path(run) / "dumps", error), end; !error && at != end;
       at.increment(error)) {
    auto named = ProgramOf(at->path());
    if (!named) continue;
    if (named->owner == geteuid()) return named->path;
    others = std::move(named);
  }
  if (!others) return std::string();
  if (trust) return others->path;
  return Status(Code::kIo,
                fmt::format("{} belongs to user {}, not to you, and wants {} to be run. If you "
                            "trust its owner, use --trust; --python chooses another program",
                            Printable(others->dump), others->owner, Printable(others->path)));
}

Result<std::string> PythonFor(const ReplayOptions& options, const std::string& run) {
  if (!options.python.empty()) return options.python;
  auto written = PythonOfDumps(run, options.trust);
  if (!written.ok() || !written.value().empty()) return written;
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
  command->Switch("--trust", &options->trust,
                  "Load the dump of another user, with the Python that it names");
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
