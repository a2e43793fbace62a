#include "warden/hook/config_builder.h"

#include <fmt/format.h>

#include <initializer_list>
#include <span>
#include <string>
#include <utility>

#include "warden/config/keys.h"
#include "warden/config/pattern_list.h"

namespace warden::hook {
namespace {

constexpr char kFolder[] = "LocalPath";
constexpr char kHook[] = "HookParameters";
constexpr char kList[] = "CollectionConfigurations";
constexpr char kName[] = "CollectionName";
constexpr char kParameters[] = "CollectionParameters";
constexpr char kPatterns[] = "include_regex";

bool IsKey(std::string_view given, const config::KeySpec& key) {
  if (given == key.name) return true;
  for (const Mode mode : kAllModes) {
    if (key.by_mode && given == config::ModePrefix(mode) + std::string(key.name)) return true;
  }
  return false;
}

Status CheckKey(std::string_view given,
                std::initializer_list<std::span<const config::KeySpec>> lists) {
  std::string accepted;
  for (const auto& list : lists) {
    for (const config::KeySpec& known : list) {
      if (IsKey(given, known)) return Status();
      accepted += fmt::format("{}{}", accepted.empty() ? "" : ", ", known.name);
    }
  }
  return Status(Code::kInvalid,
                fmt::format("unknown key '{}'; expected one of: {}", given, accepted));
}

Json& ObjectIn(Json* json, const char* name) {
  Json& value = (*json)[name];
  if (!value.is_object()) value = Json::object();
  return value;
}

// The collection's entry, added if there is none.
Json& EntryOf(std::string_view collection, Json* config) {
  Json& list = (*config)[kList];
  if (!list.is_array()) list = Json::array();
  for (Json& entry : list) {
    if (entry.value(kName, "") == collection) return entry;
  }
  list.push_back({{kName, collection}});
  return list.back();
}

}  // namespace

Status ConfigBuilder::Take(Json changed) {
  // The framework makes no difference to what is accepted.
  const auto parsed = config::ParseHookConfig(DumpLikePython(changed), config::Framework::kPlain);
  if (!parsed.ok()) return parsed.status();
  json_ = std::move(changed);
  return Status();
}

void ConfigBuilder::SetFolder(std::string_view folder) { json_[kFolder] = folder; }

Status ConfigBuilder::SetText(std::string_view text) {
  auto json = ParseJson(text);
  if (!json.ok()) return json.status().WithContext("configuration");
  return Take(std::move(json).value());
}

Status ConfigBuilder::Set(std::string_view key, std::string_view value) {
  const Status known = CheckKey(key, {config::SharedKeys(), config::HookKeys()});
  if (!known.ok()) return known;
  Json changed = json_;
  ObjectIn(&changed, kHook)[std::string(key)] = value;
  return Take(std::move(changed));
}

void ConfigBuilder::Include(std::string_view collection) { EntryOf(collection, &json_); }

Status ConfigBuilder::SetFor(std::string_view collection, std::string_view key,
                             std::string_view value) {
  const Status known = CheckKey(key, {config::SharedKeys(), config::CollectionKeys()});
  if (!known.ok()) return known;
  Json changed = json_;
  ObjectIn(&EntryOf(collection, &changed), kParameters)[std::string(key)] = value;
  return Take(std::move(changed));
}

Status ConfigBuilder::AddPattern(std::string_view collection, std::string_view pattern) {
  Json changed = json_;
  Json& patterns = ObjectIn(&EntryOf(collection, &changed), kParameters)[kPatterns];
  if (patterns.is_string()) patterns = config::SplitPatterns(patterns.get<std::string>());
  if (!patterns.is_array()) patterns = Json::array();
  patterns.push_back(pattern);
  return Take(std::move(changed));
}

Result<config::HookConfig> ConfigBuilder::Build(config::Framework framework) const {
  return config::ParseHookConfig(DumpLikePython(json_), framework);
}

}  // namespace warden::hook
