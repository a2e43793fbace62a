#include <fmt/format.h>

#include <cstdlib>

#include "warden/cli/doctor/checks.h"
#include "warden/config/hook_config.h"
#include "warden/config/keys.h"

namespace warden::cli {
namespace {

std::string ConfigurationPath() {
  const char* path = std::getenv(config::kConfigPathVariable);
  return path == nullptr || *path == '\0' ? std::string(config::kDefaultConfigPath) : path;
}

void CheckEnvironment(Checks* checks) {
  for (const config::EnvironmentVariable& variable : config::EnvironmentVariables()) {
    const char* value = std::getenv(std::string(variable.name).c_str());
    if (value == nullptr) continue;
    checks->push_back({"$" + std::string(variable.name), Health::kOk,
                       fmt::format("{} ({})", value, variable.doc), ""});
  }
}

}  // namespace

std::string CheckConfiguration(Checks* checks) {
  const std::string path = ConfigurationPath();
  std::string folder = ".";
  // The framework changes only defaults, not what is accepted.
  const auto loaded = config::LoadHookConfig("", config::Framework::kPyTorch);
  if (loaded.ok()) {
    folder = loaded.value().out_dir.empty() ? std::string(config::kDefaultOutDir)
                                            : loaded.value().out_dir;
    checks->push_back({"hook configuration", Health::kOk,
                       fmt::format("{}: valid; runs are written to {}", path, folder), ""});
  } else if (loaded.status().code() == Code::kNotFound) {
    checks->push_back({"hook configuration", Health::kMissing,
                       fmt::format("{} not found: hooks are configured in code", path),
                       fmt::format("optional; to use a file, set {}; 'warden doctor "
                                   "--print-config-reference' lists all keys",
                                   config::kConfigPathVariable)});
  } else {
    checks->push_back({"hook configuration", Health::kBroken, loaded.status().message(),
                       "fix the file; 'warden doctor --print-config-reference' lists all keys"});
  }
  CheckEnvironment(checks);
  return folder;
}

}  // namespace warden::cli
