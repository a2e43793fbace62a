#include "warden/cli/launch/origin_recorder.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/base/text/utf8.h"
#include "warden/cli/doctor/subprocess.h"
#include "warden/cli/launch/environment.h"
#include "warden/cli/launch/find_program.h"
#include "warden/os/whole_file.h"
#include "warden/trial/run_origin.h"

namespace warden::cli {
namespace {

constexpr std::chrono::seconds kPatience{15};  // With each program that is asked.
constexpr size_t kMostDiffBytes = 256 << 10;
constexpr size_t kLongestValue = 1000;

// Variables that change what a training does, or say where it runs.
constexpr std::array<std::string_view, 24> kToldPrefixes = {
    "CUDA_",  "NVIDIA_",   "NCCL_",   "GLOO_",         "UCX_",        "OMP_",
    "MKL_",   "OPENBLAS_", "TORCH",   "PYTORCH",       "TF_",         "XLA_",
    "KERAS_", "JAX_",      "HF_",     "TRANSFORMERS_", "SLURM_",      "OMPI_",
    "SM_",    "SMDEBUG_",  "WARDEN_", "TENSORWARDEN_", "ACCELERATE_", "DEEPSPEED_"};
constexpr std::array<std::string_view, 14> kToldNames = {
    "RANK",       "LOCAL_RANK",      "WORLD_SIZE",  "MASTER_ADDR",           "MASTER_PORT",
    "PYTHONPATH", "PYTHONHASHSEED",  "VIRTUAL_ENV", "CONDA_DEFAULT_ENV",     "CONDA_PREFIX",
    "PATH",       "LD_LIBRARY_PATH", "LD_PRELOAD",  "TOKENIZERS_PARALLELISM"};

// Nothing of the current folder is imported: it may have a module of any name.
constexpr char kListPackages[] = R"(import sys
sys.path[:] = [p for p in sys.path if p]
import json, platform
from importlib import metadata
packages = {}
for one in metadata.distributions():
    name = one.metadata["Name"]
    if name:
        packages.setdefault(name, one.version)
print(json.dumps({"version": platform.python_version(), "program": sys.executable,
                  "packages": dict(sorted(packages.items(), key=lambda p: p[0].lower()))}))
)";

bool IsTold(std::string_view name) {
  return std::ranges::find(kToldNames, name) != kToldNames.end() ||
         std::ranges::any_of(kToldPrefixes, [&](auto prefix) { return name.starts_with(prefix); });
}

// Output on one line; nothing if the program failed.
std::optional<std::string> LineOf(const std::vector<std::string>& words) {
  const auto output = OutputOf(words, kPatience);
  if (!output.ok()) return std::nullopt;
  return ValidUtf8(Trim(output.value()));
}

std::vector<std::string> Git(const std::string& folder, std::vector<std::string> words) {
  // No program of the repository's own configuration is run.
  std::vector<std::string> all = {"git", "-C", folder, "-c", "core.fsmonitor=false"};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

// The interpreter that runs the program; empty if that is not Python.
std::string InterpreterOf(const std::string& program) {
  const auto is_python = [](const std::string& path) {
    const std::string name = std::filesystem::path(path).filename().string();
    return name.starts_with("python") || name.starts_with("pypy");
  };
  if (is_python(program)) return program;
  std::string line;
  std::ifstream file(program, std::ios::binary);
  constexpr size_t kLongestLine = 512;
  line.resize(kLongestLine);
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<size_t>(file.gcount()));
  if (!line.starts_with("#!")) return "";
  const auto words = SplitTrimmed(line.substr(2, line.find('\n') - 2), ' ');
  // "#!/usr/bin/env -S python3 -u".
  for (const std::string& word : words) {
    if (!is_python(word)) continue;
    const auto found = FindProgram(word);
    return found.ok() ? found.value() : "";
  }
  return "";
}

// The value behind "name :" in a file of /proc.
std::string ProcValue(const char* path, std::string_view name) {
  const auto text = os::ReadWholeFile(path);
  const size_t at = text ? text->find(name) : std::string::npos;
  if (at == std::string::npos) return "";
  const std::string line = text->substr(at, text->find('\n', at) - at);
  const size_t colon = line.find(':');
  return colon == std::string::npos ? "" : std::string(Trim(line.substr(colon + 1)));
}

Json Gpus() {
  Json gpus = Json::array();
  const auto text =
      LineOf({"nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader,nounits"});
  if (!text) return gpus;
  for (const std::string& line : SplitTrimmed(*text, '\n')) {
    const auto cells = SplitTrimmed(line, ',');
    if (cells.empty()) continue;
    const auto mebibytes = cells.size() > 1 ? ParseInt(cells[1]) : std::nullopt;
    gpus.push_back(
        {{"name", cells[0]}, {"memory", mebibytes ? Json(*mebibytes * (1 << 20)) : Json()}});
  }
  return gpus;
}

void Write(const std::string& run, const Json& origin) {
  const Status status = trial::WriteRunOrigin(run, origin);
  if (!status.ok()) LogWarning("{}", status.message());
}

void RecordOrigin(const std::string& run, const std::vector<std::string>& words,
                  const std::string& program) {
  std::error_code error;
  const std::string folder = std::filesystem::current_path(error).string();
  Json command = Json::array();
  for (const std::string& word : trial::WithoutSecrets(words)) command.push_back(ValidUtf8(word));
  Json origin{{"command", std::move(command)},
              {"directory", ValidUtf8(folder)},
              {"environment", EnvironmentFacts(EnvironmentWith({}))}};
  Write(run, origin);
  if (Json git = GitFacts(folder); git.is_object()) origin["git"] = std::move(git);
  if (Json python = PythonFacts(program); python.is_object()) origin["python"] = std::move(python);
  origin["machine"] = MachineFacts();
  Write(run, origin);
}

}  // namespace

Json EnvironmentFacts(const std::vector<std::string>& environment) {
  std::vector<std::string> variables = environment;
  std::sort(variables.begin(), variables.end());
  Json values = Json::object(), names = Json::array();
  for (const std::string& variable : variables) {
    const size_t equals = variable.find('=');
    if (equals == std::string::npos || equals == 0) continue;
    const std::string name = ValidUtf8(variable.substr(0, equals));
    if (!IsTold(name)) {
      names.push_back(name);
    } else if (trial::IsSecretName(name)) {
      values[name] = trial::kMasked;
    } else {
      const std::string value = ValidUtf8(trial::WithoutPasswords(variable.substr(equals + 1)));
      values[name] = CutUtf8(value, kLongestValue);
    }
  }
  return {{"values", std::move(values)}, {"names", std::move(names)}};
}

Json GitFacts(const std::string& folder) {
  const auto commit = LineOf(Git(folder, {"rev-parse", "HEAD"}));
  if (!commit) return nullptr;
  const auto branch = LineOf(Git(folder, {"symbolic-ref", "--short", "-q", "HEAD"}));
  // The shell cuts it: a diff may have gigabytes.
  const auto diff = OutputOf(
      {"sh", "-c",
       fmt::format("GIT_OPTIONAL_LOCKS=0 git -C \"$0\" -c core.fsmonitor=false diff --no-color "
                   "--no-ext-diff --no-textconv HEAD | head -c {}",
                   kMostDiffBytes + 1),
       folder},
      kPatience);
  const bool cut = !diff.ok() || diff.value().size() > kMostDiffBytes;
  std::string text = diff.ok() ? trial::DiffWithoutSecrets(ValidUtf8(diff.value())) : "";
  if (cut) text = CutUtf8(text, kMostDiffBytes);
  return {{"commit", *commit},
          {"branch", branch.value_or("")},
          {"dirty", !diff.ok() || !text.empty()},
          {"diff", text},
          {"diff_cut", cut}};
}

Json PythonFacts(const std::string& program) {
  const std::string interpreter = InterpreterOf(program);
  if (interpreter.empty()) return nullptr;
  const auto text = OutputOf({interpreter, "-c", kListPackages}, kPatience);
  const auto json = text.ok() ? ParseJson(text.value()) : Result<Json>(text.status());
  return json.ok() && json.value().is_object() ? json.value() : Json();
}

Json MachineFacts() {
  utsname system = {};
  uname(&system);
  const std::string memory = ProcValue("/proc/meminfo", "MemTotal");
  const auto kibibytes = ParseInt(memory.substr(0, memory.find(' ')));
  return {{"host", ValidUtf8(system.nodename)},
          {"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
          {"cpu", ValidUtf8(ProcValue("/proc/cpuinfo", "model name"))},
          {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
          {"memory", kibibytes.value_or(0) * 1024},
          {"gpus", Gpus()}};
}

void OriginRecorder::Start(std::string run, std::vector<std::string> words, std::string program) {
  worker_ = std::jthread([run = std::move(run), words = std::move(words),
                          program = std::move(program)] { RecordOrigin(run, words, program); });
}

void OriginRecorder::Finish() {
  if (worker_.joinable()) worker_.join();
}

}  // namespace warden::cli
