#include "warden/config/keys.h"

#include "warden/base/strings.h"
#include "warden/config/hook_config.h"
#include "warden/config/reduction_config.h"

namespace warden::config {
namespace {

constexpr std::string_view kLists = ", as a list or separated by commas";

constexpr KeySpec kFileKeys[] = {
    {"LocalPath", ValueKind::kText, false, kDefaultOutDir,
     "Output folder or `s3://` address for tensors."},
    {"HookParameters", ValueKind::kObject, false, "none", "Settings for all collections."},
    {"CollectionConfigurations", ValueKind::kList, false, "none",
     "Collections to save in addition to the framework's defaults."},
};

constexpr KeySpec kEntryKeys[] = {
    {"CollectionName", ValueKind::kText, false, "required",
     "Name of a built-in collection to save or change, or of a new one."},
    {"CollectionParameters", ValueKind::kObject, false, "none",
     "Settings that override `HookParameters`."},
};

constexpr KeySpec kSharedKeys[] = {
    {"save_interval", ValueKind::kInterval, true, "500 (XGBoost: 10)",
     "Saves every step whose number is a multiple of this value."},
    {"start_step", ValueKind::kStep, true, "0", "First step to which `save_interval` applies."},
    {"end_step", ValueKind::kStep, true, "no end",
     "First step to which `save_interval` no longer applies; 0 disables `save_interval`."},
    {"save_steps", ValueKind::kSteps, true, "none",
     "Additional steps to save, also before `start_step` and after `end_step`."},
    {"save_seconds", ValueKind::kInterval, true, "none",
     "Also saves the first step, and every step that begins at least this many seconds after the "
     "last saved one, also before `start_step` and after `end_step`. Workers of a distributed "
     "training may then save different steps."},
    {"reductions", ValueKind::kReductions, false, "none",
     "Statistics to save for each tensor. The tensor itself is then saved only with "
     "`save_raw_tensor`."},
    {"save_raw_tensor", ValueKind::kBoolean, false, "true without `reductions`, else false",
     "Whether full tensors are saved."},
    {"save_shape", ValueKind::kBoolean, false, "false",
     "Whether the shape of each tensor is saved."},
};

constexpr KeySpec kHookKeys[] = {
    {"include_regex", ValueKind::kPatterns, false, "none",
     "Tensors to save, regardless of their collections. They are added to the collection "
     "`default`."},
    {"save_all", ValueKind::kBoolean, false, "false", "Saves every tensor and every collection."},
    {"include_workers", ValueKind::kText, false, "one",
     "`all`: every worker of a distributed training saves. Any other value: one worker saves."},
    {"export_tensorboard", ValueKind::kBoolean, false, "false",
     "Also writes histograms and curves for TensorBoard. Ignored in SageMaker jobs."},
    {"tensorboard_dir", ValueKind::kText, false, "`tensorboard` in `LocalPath`",
     "Folder for TensorBoard files. If set, they are written even without `export_tensorboard`. "
     "Ignored in SageMaker jobs."},
    {"dry_run", ValueKind::kBoolean, false, "false", "Runs everything except writing tensors."},
    {"fsync", ValueKind::kText, false, "off",
     "When saved steps are brought to the disk, to survive a loss of power: `step` after each "
     "saved step, `close` at the end of the run, `off` when the system does it, usually within "
     "30 s. A crash of the training alone takes no saved step."},
};

constexpr KeySpec kCollectionKeys[] = {
    {"include_regex", ValueKind::kPatterns, false, "none",
     "Tensors of the collection, in addition to those of a built-in collection."},
    {"save_histogram", ValueKind::kBoolean, false, "true",
     "Whether histograms of these tensors are written for TensorBoard. Never written for "
     "collections of single numbers, such as `losses`."},
};

constexpr EnvironmentVariable kEnvironment[] = {
    {kConfigPathVariable, kDefaultConfigPath,
     "Path of the hook configuration if none is given in code."},
    {kJobNameVariable, "not set",
     "If set, to any value, this is a SageMaker job: TensorBoard files are written only if the "
     "TensorBoard configuration file exists."},
    {kTensorBoardPathVariable, kDefaultTensorBoardConfigPath,
     "Path of the TensorBoard configuration file: an object whose `LocalPath` is the folder."},
    {"SMDEBUG_LOG_LEVEL", "info",
     "Log level: `debug`, `info`, `warning`, `error`, `critical` or `off`."},
    {"SMDEBUG_INCOMPLETE_STEP_WAIT_WINDOW", "1000",
     "Reading a run: if more steps than this are unfinished by some worker, the older half of them "
     "counts as finished."},
    {"SMDEBUG_TRAINING_END_DELAY_REFRESH", "0",
     "Reading a run: seconds to wait after its end before a last check for late files."},
    {"SMDEBUG_MISSING_EVENT_FILE_RETRY_LIMIT", "100",
     "Reading a run: how many times to look for a file that is announced but missing."},
};

}  // namespace

std::span<const KeySpec> FileKeys() { return kFileKeys; }
std::span<const KeySpec> EntryKeys() { return kEntryKeys; }
std::span<const KeySpec> SharedKeys() { return kSharedKeys; }
std::span<const KeySpec> HookKeys() { return kHookKeys; }
std::span<const KeySpec> CollectionKeys() { return kCollectionKeys; }
std::span<const EnvironmentVariable> EnvironmentVariables() { return kEnvironment; }

std::string AcceptedText(ValueKind kind) {
  switch (kind) {
    case ValueKind::kText: return "a string";
    case ValueKind::kBoolean: return "true or false";
    case ValueKind::kInterval: return "a positive integer";
    case ValueKind::kStep: return "a non-negative integer";
    case ValueKind::kSteps: return std::string("non-negative integers").append(kLists);
    case ValueKind::kReductions: return AcceptedReductions().append(kLists);
    case ValueKind::kPatterns: return std::string("regular expressions").append(kLists);
    case ValueKind::kObject: return "an object";
    case ValueKind::kList: return "a list of objects";
  }
  return "";
}

std::string ModePrefix(Mode mode) { return LowerAscii(ModeName(mode)) + "."; }

}  // namespace warden::config
