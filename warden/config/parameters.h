#ifndef WARDEN_CONFIG_PARAMETERS_H_
#define WARDEN_CONFIG_PARAMETERS_H_

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/reduction.h"
#include "warden/base/status.h"
#include "warden/config/keys.h"
#include "warden/config/save_config.h"

namespace warden::config {

// Reads the values that people write into configurations, leniently, against the tables of keys.h:
// for ParseHookConfig and for flags of the command line. Files that programs write are read by
// Fields (json_fields.h), strictly.

// The value of a key, as its kind has it: kText std::string, kBoolean bool, kInterval and kStep
// int64_t, kSteps std::vector<Step>, kReductions std::vector<Reduction>, kPatterns
// std::vector<std::string>, kObject and kList const Json*, which stay where they are in the JSON.
using Value = std::variant<bool, int64_t, std::string, std::vector<Step>, std::vector<Reduction>,
                           std::vector<std::string>, const Json*>;

// Reads leniently: numbers and booleans also as strings, lists also with commas. Patterns are
// compiled to check them. kInvalidType for a wrong JSON type, kInvalid for a value that is not
// accepted. The message says what is wrong with the value, not where it stands: see RefuseValue.
Result<Value> ReadValue(const Json& json, ValueKind kind);

// The error of ReadValue for the value of a key or flag: "NAME is VALUE; expected ...", with the
// same code. For a list of reductions or patterns the message names the bad word instead.
Status RefuseValue(const Status& error, std::string_view name, const Json& value, ValueKind kind);

// What happens to keys that no table has: nothing, or a warning in the log with the nearest one.
enum class UnknownKeys : uint8_t { kIgnore, kWarn };

// The members of one JSON object, each checked against its key. Safe for many threads once read.
//
//   const auto read = Parameters::Read(json, "HookParameters", {SharedKeys(), HookKeys()},
//                                      UnknownKeys::kWarn);
//   if (!read.ok()) return read.status();
//   const bool save_all = read.value().GetOr("save_all", false);
class Parameters {
 public:
  // path names the object in messages, empty for the outermost one; json outlives this if it has
  // objects or lists in it. Members that are null count as missing. The first bad value ends it:
  // the errors of RefuseValue; kInvalidType if json is not an object. REQUIRES: at least one key.
  static Result<Parameters> Read(const Json& json, std::string_view path,
                                 std::initializer_list<std::span<const KeySpec>> keys,
                                 UnknownKeys unknown);

  // The value of that key, prefix included, if it is there. REQUIRES: T is what its kind has.
  template <class T>
  const T* Get(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : std::get_if<T>(&found->second);
  }
  template <class T>
  T GetOr(std::string_view key, const T& fallback) const {
    const T* value = Get<T>(key);
    return value == nullptr ? fallback : *value;
  }

  // The four save keys with that prefix: "" or ModePrefix of a mode. Those not given stay open.
  SaveSettings Settings(std::string_view prefix) const;

 private:
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace warden::config

#endif  // WARDEN_CONFIG_PARAMETERS_H_
