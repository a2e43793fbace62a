#include "warden/cli/launch/environment.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "warden/config/keys.h"

namespace warden::cli {

namespace fs = std::filesystem;

std::vector<std::string> EnvironmentWith(
    const std::vector<std::pair<std::string, std::string>>& values) {
  std::vector<std::string> environment;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view entry = *at;
    const bool replaced = std::any_of(values.begin(), values.end(), [&](const auto& value) {
      return entry.starts_with(value.first + "=");
    });
    if (!replaced) environment.emplace_back(entry);
  }
  for (const auto& [name, value] : values) environment.push_back(name + "=" + value);
  return environment;
}

std::vector<std::string> CaptureEnvironment(const std::string& config_file,
                                            const std::string& profiler_config,
                                            const std::string& budget, bool observe,
                                            const std::optional<std::string>& python_site,
                                            bool verbose) {
  std::vector<std::pair<std::string, std::string>> values = {
      {config::kConfigPathVariable, config_file}};
  if (python_site) {
    const char* path = std::getenv("PYTHONPATH");
    const bool empty = path == nullptr || *path == '\0';
    values.emplace_back("PYTHONPATH", empty ? *python_site : *python_site + ":" + path);
    values.emplace_back("TENSORWARDEN_AUTO", "1");
  }
  if (!profiler_config.empty()) values.emplace_back("SMPROFILER_CONFIG_PATH", profiler_config);
  if (!budget.empty()) values.emplace_back("TENSORWARDEN_BUDGET", budget);
  values.emplace_back("TENSORWARDEN_OBSERVE", observe ? "1" : "0");
  if (verbose) values.emplace_back("TENSORWARDEN_VERBOSE", "1");
  return EnvironmentWith(values);
}

std::string NameOfCommand(const std::vector<std::string>& words) {
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i].ends_with(".py")) return fs::path(words[i]).stem();
    // "python -m torch.distributed.run train.py" is a run of train.py.
    const bool module = words[i - 1] == "-m" && words[i].find('/') == std::string::npos;
    const auto script = std::find_if(words.begin() + static_cast<ptrdiff_t>(i), words.end(),
                                     [](const std::string& word) { return word.ends_with(".py"); });
    if (module && script == words.end()) return words[i];
  }
  return fs::path(words[0]).filename();
}

}  // namespace warden::cli
