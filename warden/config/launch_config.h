#ifndef WARDEN_CONFIG_LAUNCH_CONFIG_H_
#define WARDEN_CONFIG_LAUNCH_CONFIG_H_

#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"

namespace warden::config {

// The configuration of a training that `warden run` or `python -m tensorwarden` starts: flags of
// the command line over a file over our default, as JSON text that the training's hook reads
// (capture/launch_folder.h puts it into the run's folder).
//
//   auto config = MakeLaunchConfig({.save_interval = "10", .collections = "weights,gradients"});
//   if (!config.ok()) return config.status();
//   Status added = AddCollections({{.name = "relu_output", .include_regex = ".*relu_output"}},
//                                 &config.value());

// What a person who starts a training asks for on the command line. Empty: not asked for. Texts are
// as typed; MakeLaunchConfig checks them.
struct LaunchFlags {
  std::string config;  // A file to start from.
  std::string out_dir;
  std::string save_interval;
  std::string collections;  // With commas.
  std::string reductions;   // With commas; "none": whole tensors.
  bool save_all = false;
  std::vector<std::string> include_regex;
  std::string workers;  // "one" or "all".
  bool tensorboard = false;
  std::string fsync = {};  // "off", "step" or "close".
};

// The configuration of a training that is captured without changing its script.
struct LaunchConfig {
  std::string source;   // The file it comes from; empty: DefaultLaunchConfig.
  std::string out_dir;  // Empty: neither the flags nor the file name one.
  std::string text;     // JSON for the program's hook, with all but a missing LocalPath.
};

// Used if nobody gives a configuration: the losses of every step, and every 50 steps those
// statistics of weights, biases and gradients that say most about their health.
Json DefaultLaunchConfig();

// The flags, over the file that they name, else the one that a hook would find without a path
// (ReadHookConfigFile), else the default. All of it is checked: every error is kInvalid and names
// the flag or the key, and what is accepted. A file that the flags name and that cannot be read is
// an error; one that is only looked for may be missing. Reads the environment.
//
// The flags hold for all collections: an interval or reductions of a single one in the file give
// way, but for the interval of "losses". Of the file's collections those named in `collections`
// stay, and "losses".
Result<LaunchConfig> MakeLaunchConfig(const LaunchFlags& flags);

// A collection that somebody who looks at the run, such as a rule, cannot do without.
struct NeededCollection {
  std::string name;
  std::string include_regex = {};  // Empty for a built-in one.
  bool whole_tensors = false;      // Reductions will not do.
};

// Has them saved: one that is configured already as it is, a new one with what holds for all
// collections. Where only reductions are asked for and they will not do, the tensors themselves are
// saved too. kInvalid, and nothing is changed, if one is neither built in nor has a pattern, or the
// pattern does not compile.
Status AddCollections(const std::vector<NeededCollection>& needed, LaunchConfig* config);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_LAUNCH_CONFIG_H_
