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

// The value of a key, as its kind has it. Objects and lists stay where they are in the JSON.
using Value = std::variant<bool, int64_t, std::string, std::vector<Step>, std::vector<Reduction>,
                           std::vector<std::string>, const Json*>;

// Reads leniently: numbers and booleans also as strings, lists also with commas. The message says
// what is wrong with the value, not where it stands.
Result<Value> ReadValue(const Json& json, ValueKind kind);

// The error of ReadValue for the value of a key or flag: "NAME is VALUE; expected ...".
Status RefuseValue(const Status& error, std::string_view name, const Json& value, ValueKind kind);

enum class UnknownKeys : uint8_t { kIgnore, kWarn };

// The members of one JSON object, each checked against its key.
class Parameters {
 public:
  // path names the object in messages; json outlives this if it has objects or lists in it.
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

  // The four save keys with that prefix.
  SaveSettings Settings(std::string_view prefix) const;

 private:
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace warden::config

#endif  // WARDEN_CONFIG_PARAMETERS_H_
