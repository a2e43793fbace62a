#ifndef WARDEN_CLI_LAUNCH_CAPTURE_SETUP_H_
#define WARDEN_CLI_LAUNCH_CAPTURE_SETUP_H_

#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/config/launch_config.h"

namespace warden::cli {

// What a program needs around it to be captured.
struct CaptureSetup {
  std::string run;                         // The folder, as a person would name it.
  std::string config_file;                 // The hook configuration that the program will read.
  std::optional<std::string> python_site;  // None: our Python packages were not found.
  std::vector<std::string> environment;    // Ours with what capture needs in it.
};

// Makes the run's folder with the configuration in it ("warden/hook.json", which readers of runs
// do not look at). Without a folder in the configuration it is "warden-runs/<name>-<UTC time>".
// kInvalid if the folder is not one to write to, or holds a finished run.
Result<CaptureSetup> SetUpCapture(const config::LaunchConfig& config,
                                  const std::vector<std::string>& words, bool verbose);

// What to call a run of this command: the script's name if there is one, else the module's or the
// program's.
std::string NameOfCommand(const std::vector<std::string>& words);

}  // namespace warden::cli

#endif  // WARDEN_CLI_LAUNCH_CAPTURE_SETUP_H_
