#ifndef WARDEN_CONFIG_KEYS_H_
#define WARDEN_CONFIG_KEYS_H_

// What may stand in a configuration of a hook, as data. To add a key, add a row to its table in
// keys.cc and read it where the others are read; check, error message and reference follow.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "warden/base/types.h"

namespace warden::config {

// The keys of hook configurations, each declared once: Parameters::Read checks against these
// tables, the hook's C API refuses unknown keys with them, and ConfigurationReference prints them.
// All tables are static: spans and texts are valid for the life of the process.

// What the value of a key may be; decides how it is read, checked and documented.
enum class ValueKind : uint8_t {
  kText,        // A string.
  kBoolean,     // Also "true", "false", 0 and 1.
  kInterval,    // At least 1.
  kStep,        // At least 0.
  kSteps,       // List or comma string.
  kReductions,  // List or comma string.
  kPatterns,    // List or comma string.
  kObject,      // A JSON object, read further by its own table of keys.
  kList,        // A JSON list of such objects.
};

// One key of a hook configuration. The parser and the reference of keys both work from these.
struct KeySpec {
  std::string_view name;
  ValueKind kind;
  bool by_mode;                   // Also with "train." and the like before it, for one mode.
  std::string_view default_text;  // What holds without the key, for the reference.
  std::string_view doc;           // One or two sentences in Markdown, for the reference.
};

// Of the file itself: the outermost object.
std::span<const KeySpec> FileKeys();
// Of each element of CollectionConfigurations.
std::span<const KeySpec> EntryKeys();
// Of HookParameters and CollectionParameters alike: when to save and what of it. In a collection
// they override the hook's.
std::span<const KeySpec> SharedKeys();
// Of HookParameters only.
std::span<const KeySpec> HookKeys();
// Of CollectionParameters only.
std::span<const KeySpec> CollectionKeys();

// "true or false", "a positive integer", ...: follows "expected". For messages and the reference.
std::string AcceptedText(ValueKind kind);

// "train.", "eval.", "predict.", "global.": before a key that has by_mode.
std::string ModePrefix(Mode mode);

// An environment variable that some part of the library reads, for the reference. Adding one here
// only documents it; reading it is up to the part that needs it.
struct EnvironmentVariable {
  std::string_view name;
  std::string_view default_text;
  std::string_view doc;
};

// Those that LoadHookConfig reads.
inline constexpr char kConfigPathVariable[] = "SMDEBUG_CONFIG_FILE_PATH";
inline constexpr char kTensorBoardPathVariable[] = "TENSORBOARD_CONFIG_FILE_PATH";
inline constexpr char kJobNameVariable[] = "TRAINING_JOB_NAME";

std::span<const EnvironmentVariable> EnvironmentVariables();

// The text of docs/reference/configuration.md: every key of a hook configuration with type, default
// and meaning, from these tables. `warden doctor --print-config-reference` prints it; a test
// compares it with the file, so that the page cannot fall behind the code. In reference.cc.
std::string ConfigurationReference();

}  // namespace warden::config

#endif  // WARDEN_CONFIG_KEYS_H_
