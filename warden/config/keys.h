#ifndef WARDEN_CONFIG_KEYS_H_
#define WARDEN_CONFIG_KEYS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "warden/base/types.h"

namespace warden::config {

// What the value of a key may be; decides how it is read, checked and documented.
enum class ValueKind : uint8_t {
  kText,
  kBoolean,
  kInterval,    // At least 1.
  kStep,        // At least 0.
  kSteps,       // List or comma string.
  kReductions,  // List or comma string.
  kPatterns,    // List or comma string.
  kObject,
  kList,
};

// One key of a hook configuration. The parser and the reference of keys both work from these.
struct KeySpec {
  std::string_view name;
  ValueKind kind;
  bool by_mode;  // Also with "train." and the like before it, for one mode.
  std::string_view default_text;
  std::string_view doc;
};

std::span<const KeySpec> FileKeys();        // Of the file itself.
std::span<const KeySpec> EntryKeys();       // Of each element of CollectionConfigurations.
std::span<const KeySpec> SharedKeys();      // Of HookParameters and CollectionParameters alike.
std::span<const KeySpec> HookKeys();        // Of HookParameters only.
std::span<const KeySpec> CollectionKeys();  // Of CollectionParameters only.

// "true or false", "a positive integer", ...: follows "expected".
std::string AcceptedText(ValueKind kind);

// "train.", "eval.", "predict.", "global.".
std::string ModePrefix(Mode mode);

// An environment variable that some part of the library listens to.
struct EnvironmentVariable {
  std::string_view name;
  std::string_view default_text;
  std::string_view doc;
};

inline constexpr char kConfigPathVariable[] = "SMDEBUG_CONFIG_FILE_PATH";
inline constexpr char kTensorBoardPathVariable[] = "TENSORBOARD_CONFIG_FILE_PATH";
inline constexpr char kJobNameVariable[] = "TRAINING_JOB_NAME";

std::span<const EnvironmentVariable> EnvironmentVariables();

}  // namespace warden::config

#endif  // WARDEN_CONFIG_KEYS_H_
