// PrepareCollections and CollectionsToSave of hook_config.h.
#include <fmt/format.h>

#include <algorithm>

#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/config/hook_config.h"

namespace warden::config {
namespace {

constexpr std::string_view kAll = "all";
constexpr std::string_view kEverything = ".*";
// What save_scalar saves, for those who ask for it by name. Saved anyway.
constexpr std::string_view kScalars = "scalars";
constexpr std::string_view kScalarNames = "^scalar/";
constexpr size_t kLikelyTypo = 2;  // Edits between a name and what was meant.

bool CanHoldNothing(const Collection& collection) {
  return collection.include_regex.empty() && collection.tensor_names.empty();
}

// Whether only other frameworks know a collection of that name without being told what is in it:
// one configuration may serve trainings of all.
bool IsForeign(const std::string& name, Framework framework) {
  if (BuiltinCollections(framework).contains(name)) return false;
  return std::ranges::any_of(
      kAllFrameworks, [&](Framework other) { return BuiltinCollections(other).contains(name); });
}

// Every collection that the configuration knows of, as it was configured.
Collections Registered(const HookConfig& config, Framework framework) {
  Collections collections = BuiltinCollections(framework);
  for (const auto& [name, collection] : config.collections) {
    if (CanHoldNothing(collection) && IsForeign(name, framework)) continue;
    collections.insert_or_assign(name, collection);
  }
  for (const std::string& name : config.include_collections) {
    if (!collections.contains(name) && IsForeign(name, framework)) continue;
    collections[name];
  }
  return collections;
}

bool SavesAll(const HookConfig& config) {
  const auto& asked = config.include_collections;
  return config.save_all || std::find(asked.begin(), asked.end(), kAll) != asked.end();
}

// A built-in collection may have been meant by that name; empty if there is none like it.
std::string Suggestion(std::string_view name, const Collections& builtins) {
  for (const auto& [builtin, collection] : builtins) {
    if (EditDistance(name, builtin) <= kLikelyTypo) {
      return fmt::format(" Did you mean '{}'?", builtin);
    }
  }
  return "";
}

void AddNew(std::vector<std::string>* names, std::string name) {
  if (std::find(names->begin(), names->end(), name) == names->end()) {
    names->push_back(std::move(name));
  }
}

void Complete(const HookConfig& config, Collection* collection) {
  if (!collection->save_config) collection->save_config = config.save_config;
  if (!collection->reduction_config) collection->reduction_config = config.reduction_config;
  if (IsRawOnlyCollection(collection->name)) {
    collection->reduction_config = ReductionConfig();
    collection->save_histogram = false;
  }
}

}  // namespace

Status CheckCollections(const HookConfig& config, Framework framework) {
  const Collections builtins = BuiltinCollections(framework);
  for (const auto& [name, collection] : Registered(config, framework)) {
    if (builtins.contains(name) || name == kScalars || !CanHoldNothing(collection)) continue;
    return Status(
        Code::kInvalidCollection,
        fmt::format("collection '{}' cannot match any tensor; set include_regex or tensor names.{}",
                    name, Suggestion(name, builtins)));
  }
  return Status();
}

Result<Collections> PrepareCollections(const HookConfig& config, Framework framework) {
  const Collections builtins = BuiltinCollections(framework);
  Collections collections = Registered(config, framework);
  auto& patterns = collections["default"].include_regex;
  patterns.insert(patterns.end(), config.include_regex.begin(), config.include_regex.end());
  Collection& all = collections[kAll];
  if (config.save_all || (SavesAll(config) && CanHoldNothing(all))) {
    all.include_regex.emplace_back(kEverything);
  }
  for (auto& [name, collection] : collections) {
    collection.name = name;
    if (name == kScalars && CanHoldNothing(collection)) {
      collection.include_regex.emplace_back(kScalarNames);
    }
    if (!builtins.contains(name) && CanHoldNothing(collection)) {
      LogWarning(
          "collection '{}' has neither include_regex nor tensor names: it holds only what "
          "save_tensor puts into it.{}",
          name, Suggestion(name, builtins));
    }
    Complete(config, &collection);
  }
  return collections;
}

std::vector<std::string> CollectionsToSave(const HookConfig& config, Framework framework) {
  std::vector<std::string> names;
  for (std::string& name : DefaultCollections(framework)) AddNew(&names, std::move(name));
  const Collections registered = Registered(config, framework);
  for (const std::string& name : config.include_collections) {
    if (registered.contains(name)) AddNew(&names, name);
  }
  if (!config.include_regex.empty()) AddNew(&names, "default");
  if (SavesAll(config)) {
    for (const auto& [name, collection] : registered) AddNew(&names, name);
  }
  return names;
}

}  // namespace warden::config
