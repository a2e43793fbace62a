#include "warden/cli/launch/find_tensorboard.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "warden/cli/launch/find_program.h"
#include "warden/cli/launch/python_site.h"
#include "warden/os/run_command.h"

namespace warden::cli {
namespace {

constexpr char kTensorBoard[] = "tensorboard";
constexpr char kHasTensorBoard[] =
    "import importlib.util, sys; sys.exit(importlib.util.find_spec('tensorboard') is None)";

// The folder of programs of the environment that has our packages:
// "ENV/lib/python3.11/site-packages/tensorwarden/auto/site" is below ENV, which has bin/.
std::optional<std::string> ProgramsOfEnvironment() {
  const auto site = FindPythonSite(OwnProgram());
  if (!site) return std::nullopt;
  std::filesystem::path folder(*site);
  for (int i = 0; i < 6; ++i) folder = folder.parent_path();
  return (folder / "bin").string();
}

}  // namespace

Result<TensorBoardProgram> FindTensorBoard() {
  if (auto program = FindProgram(kTensorBoard); program.ok()) {
    return TensorBoardProgram{program.value(), {kTensorBoard}};
  }
  const auto programs = ProgramsOfEnvironment();
  if (programs) {
    auto program = FindProgram(*programs + "/" + kTensorBoard);
    if (program.ok()) return TensorBoardProgram{program.value(), {kTensorBoard}};
  }
  if (auto python = FindProgram("python3"); python.ok()) {
    os::CommandLine question;
    question.words = {python.value(), "-c", kHasTensorBoard};
    if (os::RunCommand(question, "", {}).ok()) {
      return TensorBoardProgram{python.value(), {"python3", "-m", "tensorboard.main"}};
    }
  }
  return Status(Code::kNotFound,
                fmt::format("TensorBoard was not found: neither on PATH, nor {}in python3; install "
                            "it with 'pip install tensorboard'",
                            programs ? "in " + *programs + ", nor " : std::string()));
}

}  // namespace warden::cli
