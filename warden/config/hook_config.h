#ifndef WARDEN_CONFIG_HOOK_CONFIG_H_
#define WARDEN_CONFIG_HOOK_CONFIG_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/config/collection.h"

namespace warden::config {

// Everything that decides what a hook saves, complete and checked.
struct HookConfig {
  std::string out_dir;
  bool export_tensorboard = false;
  std::string tensorboard_dir;  // Empty: "<out_dir>/tensorboard" if exported at all.
  bool dry_run = false;
  SaveConfig save_config;
  ReductionConfig reduction_config;
  std::vector<std::string> include_regex;        // Go to the collection "default".
  std::vector<std::string> include_collections;  // Beside the framework's defaults.
  bool save_all = false;
  bool all_workers = false;  // include_workers = "all".

  // Collections to add to the built-in ones or to put over them, by name.
  Collections collections;
};

inline constexpr std::string_view kDefaultOutDir = "/opt/ml/output/tensors";
inline constexpr std::string_view kDefaultConfigPath = "/opt/ml/input/config/debughookconfig.json";
inline constexpr std::string_view kDefaultTensorBoardConfigPath =
    "/opt/ml/input/config/tensorboardoutputconfig.json";

// 500; 10 for XGBoost, whose boosting rounds are few.
int64_t DefaultSaveInterval(Framework framework);

// From the text of a hook configuration (docs/reference/configuration.md lists every key). Nothing
// is configured by halves: the first bad value ends it with kInvalid (or kInvalidType, kCorrupt),
// naming the key, the value and what is accepted. The framework gives the default interval and the
// built-in collections that the listed ones start from.
Result<HookConfig> ParseHookConfig(std::string_view text, Framework framework);

// From a file: path if not empty, else $SMDEBUG_CONFIG_FILE_PATH, else kDefaultConfigPath; within a
// SageMaker job ($TRAINING_JOB_NAME) the TensorBoard folder comes from its own file
// ($TENSORBOARD_CONFIG_FILE_PATH). kNotFound if the file is not there.
Result<HookConfig> LoadHookConfig(std::string_view path, Framework framework);

// The file that LoadHookConfig reads, and its text.
struct HookConfigFile {
  std::string path;
  std::string text;
};
Result<HookConfigFile> ReadHookConfigFile(std::string_view path);

// The collections that the hook works with: built-in ones, with config's put over them, patterns of
// include_regex and save_all applied, and every open reduction and save configuration filled in
// from the hook's. One that only another framework knows, and that nothing is said of, is left out.
// kInvalidCollection for one of the user's that can match nothing.
Result<Collections> PrepareCollections(const HookConfig& config, Framework framework);

// Names of the prepared collections that are saved: defaults, asked-for ones, all with save_all.
std::vector<std::string> CollectionsToSave(const HookConfig& config, Framework framework);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_HOOK_CONFIG_H_
