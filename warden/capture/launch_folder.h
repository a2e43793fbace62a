#ifndef WARDEN_CAPTURE_LAUNCH_FOLDER_H_
#define WARDEN_CAPTURE_LAUNCH_FOLDER_H_

#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/config/launch_config.h"

namespace warden::capture {

// Prepares the folder of a run before the training starts: for `warden run` and
// `python -m tensorwarden`, which capture a training without changing its script.
//
//   const auto folder = MakeLaunchFolder(config, "train");
//   if (!folder.ok()) return folder.status();
//   setenv("SMDEBUG_CONFIG_FILE_PATH", folder.value().config_file.c_str(), 1);

// The folder, in the working folder, of runs for which nobody chose one.
inline constexpr char kDefaultRunsFolder[] = "warden-runs";

// Where such a training saves its run. Absolute paths, as the training may change its folder.
struct LaunchFolder {
  std::string run;          // As a person would name it; may be relative.
  std::string path;         // The same, absolute.
  std::string config_file;  // The hook configuration that the training will read, absolute.
};

// A launch that several processes make together, or that is made again after it was interrupted: a
// job of Slurm, which may have many tasks and be requeued.
struct SharedLaunch {
  // The same for all processes of one attempt, another for each further attempt.
  std::string id;
  int rank = 0;  // The process with rank 0 writes what the others find.
  int size = 1;
};

// Makes the run's folder with the configuration in it, as "warden/hook.json", which readers of runs
// do not look at. Without a folder in the configuration it is "warden-runs/<name>-<UTC time>" in
// the working folder, with a number behind it if that exists. kInvalid if the folder holds a
// finished run or is a URL that is not supported, kIo if it cannot be made or written to, kCorrupt
// if the configuration is not JSON. Not for two threads with the same folder at once.
//
// shared: all processes of the launch get the same folder, without waiting for each other, and so
// do those of the next attempt unless the run was finished. Without a folder in the configuration
// it is "warden-runs/<name>", with a number behind it if that is of another launch. Null: none.
Result<LaunchFolder> MakeLaunchFolder(const config::LaunchConfig& config, std::string_view name,
                                      const SharedLaunch* shared = nullptr);

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_LAUNCH_FOLDER_H_
