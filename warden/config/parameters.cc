#include "warden/config/parameters.h"

#include <fmt/format.h>

#include <utility>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/config/json_fields.h"

namespace warden::config {
namespace {

// Keys longer than this are no slips of the pen; comparing them is not worth the time.
constexpr size_t kLongestGuess = 64;

struct NamedKey {
  std::string name;  // With the prefix of a mode, for keys that take one.
  const KeySpec* spec;
};

std::vector<NamedKey> Spelled(std::initializer_list<std::span<const KeySpec>> tables) {
  std::vector<NamedKey> keys;
  for (std::span<const KeySpec> table : tables) {
    for (const KeySpec& spec : table) {
      keys.push_back({std::string(spec.name), &spec});
      if (!spec.by_mode) continue;
      for (Mode mode : kAllModes) {
        keys.push_back({ModePrefix(mode).append(spec.name), &spec});
      }
    }
  }
  return keys;
}

const KeySpec* Find(const std::vector<NamedKey>& keys, std::string_view name) {
  for (const NamedKey& key : keys) {
    if (key.name == name) return key.spec;
  }
  return nullptr;
}

std::string_view Nearest(const std::vector<NamedKey>& keys, std::string_view name) {
  if (name.size() > kLongestGuess) return keys.front().name;
  const std::string lower = LowerAscii(name);
  const NamedKey* nearest = &keys.front();
  size_t least = std::string::npos;
  for (const NamedKey& key : keys) {
    const size_t distance = EditDistance(lower, LowerAscii(key.name));
    if (distance >= least) continue;
    least = distance;
    nearest = &key;
  }
  return nearest->name;
}

std::string Join(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

}  // namespace

Result<Parameters> Parameters::Read(const Json& json, std::string_view path,
                                    std::initializer_list<std::span<const KeySpec>> keys,
                                    UnknownKeys unknown) {
  if (!json.is_object()) return WrongType("an object", json).WithContext(path);
  const std::vector<NamedKey> known = Spelled(keys);
  Parameters parameters;
  for (const auto& [name, member] : json.items()) {
    const KeySpec* spec = Find(known, name);
    if (spec == nullptr) {
      if (unknown == UnknownKeys::kIgnore) continue;
      LogWarning("unknown key {} ignored; did you mean {}?", Shown(Json(Join(path, name))),
                 Nearest(known, name));
      continue;
    }
    if (member.is_null()) continue;
    Result<Value> value = ReadValue(member, spec->kind);
    if (!value.ok()) {
      return RefuseValue(value.status(), Join(path, name), member, spec->kind);
    }
    parameters.values_.insert_or_assign(name, std::move(value).value());
  }
  return parameters;
}

SaveSettings Parameters::Settings(std::string_view prefix) const {
  const auto get = [&]<class T>(std::string_view key, std::optional<T>* out) {
    if (const T* value = Get<T>(std::string(prefix).append(key))) *out = *value;
  };
  SaveSettings settings;
  get("save_interval", &settings.save_interval);
  get("start_step", &settings.start_step);
  get("end_step", &settings.end_step);
  get("save_steps", &settings.save_steps);
  get("save_seconds", &settings.save_seconds);
  return settings;
}

}  // namespace warden::config
