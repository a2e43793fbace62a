#include "warden/config/keys.h"

#include "warden/base/strings.h"
#include "warden/config/hook_config.h"
#include "warden/config/reduction_config.h"

namespace warden::config {
namespace {

constexpr std::string_view kLists = ", as a list or separated by commas";

constexpr KeySpec kFileKeys[] = {
    {"LocalPath", ValueKind::kText, false, kDefaultOutDir,
     "Where the tensors go: a folder or an `s3://` address."},
    {"HookParameters", ValueKind::kObject, false, "none", "What holds for all collections."},
    {"CollectionConfigurations", ValueKind::kList, false, "none",
     "Collections to save beside those that the framework saves anyway."},
};

constexpr KeySpec kEntryKeys[] = {
    {"CollectionName", ValueKind::kText, false, "required",
     "A built-in collection to save or to change, or a new one."},
    {"CollectionParameters", ValueKind::kObject, false, "none",
     "What differs from `HookParameters`."},
};

constexpr KeySpec kSharedKeys[] = {
    {"save_interval", ValueKind::kInterval, true, "500 (XGBoost: 10)",
     "Saves the steps whose number is a multiple of this."},
    {"start_step", ValueKind::kStep, true, "0", "The first step for which `save_interval` counts."},
    {"end_step", ValueKind::kStep, true, "no end",
     "The first step for which `save_interval` counts no more; 0 turns it off."},
    {"save_steps", ValueKind::kSteps, true, "none",
     "Steps to save in addition, also before `start_step` and after `end_step`."},
    {"reductions", ValueKind::kReductions, false, "none",
     "Numbers to save of each tensor. The tensor itself is then saved only with "
     "`save_raw_tensor`."},
    {"save_raw_tensor", ValueKind::kBoolean, false, "true without `reductions`, else false",
     "Whether whole tensors are saved."},
    {"save_shape", ValueKind::kBoolean, false, "false",
     "Whether the shape of each tensor is saved."},
};

constexpr KeySpec kHookKeys[] = {
    {"include_regex", ValueKind::kPatterns, false, "none",
     "Tensors to save, whatever collection they are in. They go to the collection `default`."},
    {"save_all", ValueKind::kBoolean, false, "false", "Saves every tensor and every collection."},
    {"include_workers", ValueKind::kText, false, "one",
     "`all`: every worker of a distributed job saves; anything else: one does."},
    {"export_tensorboard", ValueKind::kBoolean, false, "false",
     "Also writes histograms and curves for TensorBoard. Ignored in SageMaker jobs."},
    {"tensorboard_dir", ValueKind::kText, false, "`tensorboard` in `LocalPath`",
     "Where they go; given, they are written even without `export_tensorboard`. Ignored in "
     "SageMaker jobs."},
    {"dry_run", ValueKind::kBoolean, false, "false", "Does everything but writing tensors."},
};

constexpr KeySpec kCollectionKeys[] = {
    {"include_regex", ValueKind::kPatterns, false, "none",
     "Tensors of the collection, beside those that a built-in one holds anyway."},
    {"save_histogram", ValueKind::kBoolean, false, "true",
     "Whether TensorBoard gets histograms of these tensors. Never for collections of single "
     "numbers, e.g. `losses`."},
};

constexpr EnvironmentVariable kEnvironment[] = {
    {kConfigPathVariable, kDefaultConfigPath, "The hook configuration, if no path is given."},
    {kJobNameVariable, "not set",
     "Set, to whatever value: this is a SageMaker job, and TensorBoard files are written only if "
     "its own configuration file exists."},
    {kTensorBoardPathVariable, kDefaultTensorBoardConfigPath,
     "That file: an object whose `LocalPath` is the folder."},
    {"SMDEBUG_LOG_LEVEL", "info",
     "What is logged: `debug`, `info`, `warning`, `error`, `critical` or `off`."},
    {"SMDEBUG_INCOMPLETE_STEP_WAIT_WINDOW", "1000",
     "Reading a run: with more steps than this that some worker has not finished, the older half "
     "of "
     "them counts as finished."},
    {"SMDEBUG_TRAINING_END_DELAY_REFRESH", "0",
     "Reading a run: seconds after its end until a last look for late files."},
    {"SMDEBUG_MISSING_EVENT_FILE_RETRY_LIMIT", "100",
     "Reading a run: how often a file that is announced but not there yet is looked for."},
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
    case ValueKind::kInterval: return "a whole number of at least 1";
    case ValueKind::kStep: return "a whole number of at least 0";
    case ValueKind::kSteps: return std::string("whole numbers of at least 0").append(kLists);
    case ValueKind::kReductions: return AcceptedReductions().append(kLists);
    case ValueKind::kPatterns: return std::string("regular expressions").append(kLists);
    case ValueKind::kObject: return "an object";
    case ValueKind::kList: return "a list of objects";
  }
  return "";
}

std::string ModePrefix(Mode mode) { return LowerAscii(ModeName(mode)) + "."; }

}  // namespace warden::config
