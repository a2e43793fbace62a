#ifndef WARDEN_CAPTURE_LAUNCH_FOLDER_H_
#define WARDEN_CAPTURE_LAUNCH_FOLDER_H_

#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/config/launch_config.h"

namespace warden::capture {

// Where a program that is watched without being changed saves its run.
struct LaunchFolder {
  std::string run;          // As a person would name it.
  std::string path;         // The same, from the root.
  std::string config_file;  // The hook configuration that the program will read, from the root.
};

// Makes the run's folder with the configuration in it, as "warden/hook.json", which readers of runs
// do not look at. Without a folder in the configuration it is "warden-runs/<name>-<UTC time>".
// kInvalid if the folder holds a finished run, or is none to write to.
Result<LaunchFolder> MakeLaunchFolder(const config::LaunchConfig& config, std::string_view name);

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_LAUNCH_FOLDER_H_
