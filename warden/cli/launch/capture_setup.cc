#include "warden/cli/launch/capture_setup.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <utility>

#include "warden/base/json.h"
#include "warden/cli/launch/python_site.h"
#include "warden/config/keys.h"
#include "warden/format/layout.h"
#include "warden/storage/store.h"

namespace warden::cli {
namespace {

namespace fs = std::filesystem;

constexpr char kConfigKey[] = "warden/hook.json";
constexpr char kDefaultFolder[] = "warden-runs";

std::string UtcTime() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &parts);
  return text;
}

// A folder that nobody has; made, so that nobody else takes it.
Result<std::string> NewRunFolder(const std::string& name) {
  std::error_code error;
  fs::create_directories(kDefaultFolder, error);
  const std::string path = fmt::format("{}/{}-{}", kDefaultFolder, name, UtcTime());
  std::string folder = path;
  for (int n = 2; !error && !fs::create_directory(folder, error); ++n) {
    folder = fmt::format("{}-{}", path, n);
  }
  if (!error) return folder;
  return Status(Code::kIo, fmt::format("cannot make {}: {}; choose a folder by --out", folder,
                                       error.message()));
}

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// Ours, with these values in place of those of the same names.
std::vector<std::string> EnvironmentWith(
    const std::vector<std::pair<std::string, std::string>>& values) {
  std::vector<std::string> environment;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view entry = *at;
    bool replaced = false;
    for (const auto& [name, value] : values) replaced |= entry.starts_with(name + "=");
    if (!replaced) environment.emplace_back(entry);
  }
  for (const auto& [name, value] : values) environment.push_back(name + "=" + value);
  return environment;
}

std::vector<std::string> CaptureEnvironment(const CaptureSetup& setup, bool verbose) {
  std::vector<std::pair<std::string, std::string>> values = {
      {config::kConfigPathVariable, setup.config_file}};
  if (setup.python_site) {
    const std::string path = Variable("PYTHONPATH");
    values.emplace_back("PYTHONPATH", *setup.python_site + (path.empty() ? "" : ":" + path));
    values.emplace_back("TENSORWARDEN_AUTO", "1");
  }
  if (verbose) values.emplace_back("TENSORWARDEN_VERBOSE", "1");
  return EnvironmentWith(values);
}

}  // namespace

std::string NameOfCommand(const std::vector<std::string>& words) {
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "-m" && i + 1 < words.size()) return fs::path(words[i + 1]).filename();
    if (words[i].ends_with(".py")) return fs::path(words[i]).stem();
  }
  return fs::path(words[0]).filename();
}

Result<CaptureSetup> SetUpCapture(const config::LaunchConfig& config,
                                  const std::vector<std::string>& words, bool verbose) {
  CaptureSetup setup;
  setup.run = config.out_dir;
  if (setup.run.empty()) {
    auto folder = NewRunFolder(NameOfCommand(words));
    if (!folder.ok()) return folder.status();
    setup.run = std::move(folder).value();
  }
  auto store = storage::OpenStore(setup.run);
  if (!store.ok()) return store.status();
  if (store.value()->Exists(format::kEndMarker)) {
    return Status(
        Code::kInvalid,
        fmt::format("{} holds a finished run already; choose another folder by --out", setup.run));
  }
  // The program may change its folder before it gets there.
  Json json = ParseJson(config.text).value();
  json["LocalPath"] = fs::absolute(store.value()->Locate("")).lexically_normal().string();
  const Status put = store.value()->Put(kConfigKey, AsBytes(DumpLikePython(json) + "\n"));
  if (!put.ok()) return put.WithContext("cannot write to the run's folder");
  setup.config_file = fs::absolute(store.value()->Locate(kConfigKey)).lexically_normal().string();
  setup.python_site = FindPythonSite(OwnProgram());
  setup.environment = CaptureEnvironment(setup, verbose);
  return setup;
}

}  // namespace warden::cli
