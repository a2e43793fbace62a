#ifndef WARDEN_CONFIG_HOOK_CONFIG_H_
#define WARDEN_CONFIG_HOOK_CONFIG_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/config/collection.h"

namespace warden::config {

// The configuration of a hook: from a file (LoadHookConfig), from text (ParseHookConfig), or filled
// in by a program. PrepareCollections turns it into the collections that the hook works with.
//
//   const auto config = ParseHookConfig(text, Framework::kPyTorch);
//   if (!config.ok()) return config.status();  // Names the key, the value, what is accepted.
//   const auto collections = PrepareCollections(config.value(), Framework::kPyTorch);
//   const auto saved = CollectionsToSave(config.value(), Framework::kPyTorch);
//
// Functions that read the environment must not run while another thread changes it; all others are
// safe for many threads.

// When what was saved is brought to the disk, so that it survives a loss of power. A crash of the
// training alone never takes anything that was saved.
enum class Fsync {
  kOff,    // When the system does it, some 30 s later.
  kStep,   // After each step; the writer's thread waits for the disk.
  kClose,  // When the run ends.
};
// "off", "step", "close".
std::string_view FsyncName(Fsync fsync);
std::optional<Fsync> ParseFsync(std::string_view name);

// Everything that decides what a hook saves, complete and checked. A plain value; one that a
// program fills in itself is checked by PrepareCollections only as far as collections go.
struct HookConfig {
  std::string out_dir;  // The run's folder or a URL: what storage::OpenStore accepts.
  bool export_tensorboard = false;
  std::string tensorboard_dir;             // Empty: "<out_dir>/tensorboard" if exported at all.
  bool dry_run = false;                    // Everything but writing tensors.
  SaveConfig save_config;                  // For collections that have none.
  ReductionConfig reduction_config;        // Likewise.
  std::vector<std::string> include_regex;  // Go to the collection "default".
  std::vector<std::string> include_collections;  // Beside the framework's defaults.
  bool save_all = false;                         // Every tensor, in the collection "all".
  bool all_workers = false;                      // include_workers = "all".
  Fsync fsync = Fsync::kOff;

  // Collections to add to the built-in ones or to put over them, by name.
  Collections collections;
};

// Where a SageMaker container has these; the defaults outside of one, too.
inline constexpr std::string_view kDefaultOutDir = "/opt/ml/output/tensors";
inline constexpr std::string_view kDefaultConfigPath = "/opt/ml/input/config/debughookconfig.json";
inline constexpr std::string_view kDefaultTensorBoardConfigPath =
    "/opt/ml/input/config/tensorboardoutputconfig.json";

// 500; 10 for XGBoost, whose boosting rounds are few.
int64_t DefaultSaveInterval(Framework framework);

// From the text of a hook configuration (docs/reference/configuration.md lists every key). Nothing
// is configured by halves: the first bad value ends it with kInvalid (or kInvalidType, kCorrupt),
// naming the key, the value and what is accepted. Patterns are compiled and checked, too. Unknown
// parameters are ignored with a warning in the log. The framework gives the default interval and
// the built-in collections that the listed ones start from.
Result<HookConfig> ParseHookConfig(std::string_view text, Framework framework);

// Where a configuration without LocalPath saves: its S3OutputPath, if that is an s3:// address;
// empty otherwise. Within a SageMaker job LocalPath is always there, and others copy it to S3.
std::string RemoteOutput(const Json& configuration);

// From a file: path if not empty, else $SMDEBUG_CONFIG_FILE_PATH, else kDefaultConfigPath; within a
// SageMaker job ($TRAINING_JOB_NAME) the TensorBoard folder comes from its own file
// ($TENSORBOARD_CONFIG_FILE_PATH), and nothing is exported without that file. kNotFound if the file
// is not there, kIo if it cannot be read; otherwise the errors of ParseHookConfig, with the path.
Result<HookConfig> LoadHookConfig(std::string_view path, Framework framework);

// The file that LoadHookConfig reads, and its text, not yet parsed. kNotFound and kIo as above.
struct HookConfigFile {
  std::string path;
  std::string text;
};
Result<HookConfigFile> ReadHookConfigFile(std::string_view path);

// The collections that the hook works with: built-in ones, with config's put over them, patterns of
// include_regex and save_all applied, and every open reduction and save configuration filled in
// from the hook's. One that only another framework knows, and that nothing is said of, is left out.
// One of the user's that can match nothing is kept, with a warning in the log: a misspelled name
// must not cost the rest of the run. "scalars" without patterns holds what is saved by SaveScalar.
// Patterns are not compiled here: a hook does that with CollectionMatcher.
Result<Collections> PrepareCollections(const HookConfig& config, Framework framework);

// kInvalidCollection names the first of the user's collections that can match nothing. For commands
// that can refuse a configuration before a training starts.
Status CheckCollections(const HookConfig& config, Framework framework);

// Names of the prepared collections that are saved, each once: the framework's defaults, those that
// include_collections names, "default" with include_regex, and all of them with save_all or with
// "all" in include_collections, which then holds every tensor. All are among those that
// PrepareCollections gives for the same arguments.
std::vector<std::string> CollectionsToSave(const HookConfig& config, Framework framework);

// A complete configuration as one object with HookConfig's members, collections in the form of
// manifests: how it crosses the border to the Python package. What users write is another form,
// which ParseHookConfig reads. What ToJson gives, read back, saves the same. In
// hook_config_json.cc.
Json ToJson(const HookConfig& config);
// Unknown members are ignored; missing and null ones keep the defaults of HookConfig. kInvalidType
// for a member of the wrong type, kInvalid for a value that is not accepted; both name the member.
Result<HookConfig> HookConfigFromJson(const Json& json);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_HOOK_CONFIG_H_
