#ifndef WARDEN_CLI_LAUNCH_ENVIRONMENT_H_
#define WARDEN_CLI_LAUNCH_ENVIRONMENT_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warden::cli {

// Our environment as "NAME=value", with these values in place of those of the same names.
std::vector<std::string> EnvironmentWith(
    const std::vector<std::pair<std::string, std::string>>& values);

// The environment that makes Python processes capture: the configuration's path and, if our
// packages were found, a PYTHONPATH with their sitecustomize first.
// profiler_config: of the profiler; empty: the training's own, if it has one. budget: percentage of
// the training time for capture; empty: the configuration alone decides what is captured.
// observe: whether what the training loop does is saved, too.
std::vector<std::string> CaptureEnvironment(const std::string& config_file,
                                            const std::string& profiler_config,
                                            const std::string& budget, bool observe,
                                            const std::optional<std::string>& python_site,
                                            bool verbose);

// What to call a run of this command: the script's name if there is one, else the module's or the
// program's. REQUIRES: !words.empty().
std::string NameOfCommand(const std::vector<std::string>& words);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_ENVIRONMENT_H_
