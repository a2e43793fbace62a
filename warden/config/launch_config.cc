#include "warden/config/launch_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/config/hook_config.h"
#include "warden/config/json_fields.h"
#include "warden/config/parameters.h"

namespace warden::config {
namespace {

constexpr char kHook[] = "HookParameters";
constexpr char kList[] = "CollectionConfigurations";
constexpr char kName[] = "CollectionName";
constexpr char kCollectionParameters[] = "CollectionParameters";
constexpr char kPatterns[] = "include_regex";
constexpr char kLosses[] = "losses";
constexpr char kWholeTensors[] = "none";

Status Invalid(const Status& status) { return Status(Code::kInvalid, status.message()); }

Status CheckFlag(const char* flag, const Json& value, ValueKind kind) {
  const Result<Value> read = ReadValue(value, kind);
  if (read.ok()) return Status();
  return Invalid(RefuseValue(read.status(), flag, value, kind));
}

Status CheckFlags(const LaunchFlags& flags) {
  Status status;
  if (!flags.save_interval.empty()) {
    status = CheckFlag("--save-interval", Json(flags.save_interval), ValueKind::kInterval);
  }
  if (status.ok() && !flags.reductions.empty() && flags.reductions != kWholeTensors) {
    status = CheckFlag("--reductions", Json(flags.reductions), ValueKind::kReductions);
  }
  if (status.ok() && !flags.include_regex.empty()) {
    status = CheckFlag("--include-regex", Json(flags.include_regex), ValueKind::kPatterns);
  }
  if (status.ok() && !flags.workers.empty() && flags.workers != "one" && flags.workers != "all") {
    status = Status(Code::kInvalid,
                    fmt::format("--workers is '{}'; expected one or all", flags.workers));
  }
  return status;
}

// The object of that name, made where there is none.
Json& ObjectIn(Json* json, const char* name) {
  Json& value = (*json)[name];
  if (!value.is_object()) value = Json::object();
  return value;
}

// With every prefix for a mode.
void EraseForAllModes(Json* parameters, const char* key) {
  parameters->erase(key);
  for (const Mode mode : kAllModes) parameters->erase(ModePrefix(mode) + key);
}

void EraseReductions(Json* parameters) {
  for (const char* key : {"reductions", "save_raw_tensor"}) parameters->erase(key);
}

bool IsNamed(const Json& entry, const std::string& name) { return entry.value(kName, "") == name; }

void ChooseCollections(const std::vector<std::string>& names, Json* list) {
  Json kept = Json::array();
  for (const Json& entry : *list) {
    const bool named = std::any_of(names.begin(), names.end(),
                                   [&](const std::string& name) { return IsNamed(entry, name); });
    if (named || IsNamed(entry, kLosses)) kept.push_back(entry);
  }
  for (const std::string& name : names) {
    const bool there = std::any_of(kept.begin(), kept.end(),
                                   [&](const Json& entry) { return IsNamed(entry, name); });
    if (!there) kept.push_back({{kName, name}});
  }
  *list = std::move(kept);
}

// The last entry of that name, which counts where several disagree; null if there is none.
Json* FindEntry(const std::string& name, Json* list) {
  Json* found = nullptr;
  for (Json& entry : *list) {
    if (IsNamed(entry, name)) found = &entry;
  }
  return found;
}

// Two that need one collection may each have a pattern for it; one who configured it knows best.
void AddNeeded(const NeededCollection& needed, bool configured, Json* list) {
  if (FindEntry(needed.name, list) == nullptr) list->push_back({{kName, needed.name}});
  if (configured || needed.include_regex.empty()) return;
  Json& parameters = ObjectIn(FindEntry(needed.name, list), kCollectionParameters);
  // A list, as a pattern may have a comma in it.
  Json& patterns = parameters[kPatterns];
  if (!patterns.is_array()) patterns = Json::array();
  const auto known = std::find(patterns.begin(), patterns.end(), Json(needed.include_regex));
  if (known == patterns.end()) patterns.push_back(needed.include_regex);
}

// REQUIRES: the configuration passes ParseHookConfig, so that everything has its type.
void PutOver(const LaunchFlags& flags, Json* configuration) {
  // Adding a member moves the others, so both are there before either is referred to.
  ObjectIn(configuration, kHook);
  Json& list = (*configuration)[kList];
  Json& hook = (*configuration)[kHook];
  if (!list.is_array()) list = Json::array();
  if (!flags.collections.empty()) ChooseCollections(SplitTrimmed(flags.collections, ','), &list);
  for (Json& entry : list) {
    Json& parameters = ObjectIn(&entry, kCollectionParameters);
    if (!flags.save_interval.empty() && !IsNamed(entry, kLosses)) {
      EraseForAllModes(&parameters, "save_interval");
    }
    if (!flags.reductions.empty()) EraseReductions(&parameters);
  }
  if (!flags.save_interval.empty()) {
    EraseForAllModes(&hook, "save_interval");
    hook["save_interval"] = *ParseInt(Trim(flags.save_interval));
  }
  if (!flags.reductions.empty()) {
    EraseReductions(&hook);
    if (flags.reductions != kWholeTensors) hook["reductions"] = flags.reductions;
  }
  if (flags.save_all) hook["save_all"] = true;
  if (!flags.include_regex.empty()) hook["include_regex"] = flags.include_regex;
  if (!flags.workers.empty()) hook["include_workers"] = flags.workers;
  if (flags.tensorboard) hook["export_tensorboard"] = true;
  if (!flags.fsync.empty()) hook["fsync"] = flags.fsync;
  if (!flags.out_dir.empty()) (*configuration)["LocalPath"] = flags.out_dir;
}

Result<Collections> Prepared(const std::string& text) {
  const auto config = ParseHookConfig(text, Framework::kPyTorch);
  if (!config.ok()) return Invalid(config.status());
  const Status checked = CheckCollections(config.value(), Framework::kPyTorch);
  if (!checked.ok()) return Invalid(checked);
  auto collections = PrepareCollections(config.value(), Framework::kPyTorch);
  if (!collections.ok()) return Invalid(collections.status());
  return collections;
}

Status CheckWhole(const std::string& text) { return Prepared(text).status(); }

}  // namespace

Json DefaultLaunchConfig() {
  return {
      {kHook, {{"save_interval", 50}, {"reductions", "min,max,mean,std,l2_norm,abs_mean,abs_max"}}},
      {kList,
       {{{kName, kLosses}, {kCollectionParameters, {{"save_interval", 1}}}},
        {{kName, "weights"}},
        {{kName, "biases"}},
        {{kName, "gradients"}}}}};
}

Result<LaunchConfig> MakeLaunchConfig(const LaunchFlags& flags) {
  if (const Status status = CheckFlags(flags); !status.ok()) return status;
  LaunchConfig made;
  Json configuration = DefaultLaunchConfig();
  const auto file = ReadHookConfigFile(flags.config);
  if (file.ok()) {
    made.source = file.value().path;
    const Status checked = CheckWhole(file.value().text);
    if (!checked.ok()) return checked.WithContext(made.source);
    configuration = ParseJson(file.value().text).value();
  } else if (!flags.config.empty() || file.status().code() != Code::kNotFound) {
    return Invalid(file.status());
  }
  PutOver(flags, &configuration);
  made.text = DumpLikePython(configuration);
  if (const Status status = CheckWhole(made.text); !status.ok()) return status;
  const Json* folder = Member(configuration, "LocalPath");
  made.out_dir = folder == nullptr ? RemoteOutput(configuration) : folder->get<std::string>();
  return made;
}

Status AddCollections(const std::vector<NeededCollection>& needed, LaunchConfig* config) {
  if (const Status status = CheckWhole(config->text); !status.ok()) return status;
  Json configuration = ParseJson(config->text).value();
  Json& list = configuration[kList];
  if (!list.is_array()) list = Json::array();
  Json given = list;
  for (const NeededCollection& collection : needed) {
    AddNeeded(collection, FindEntry(collection.name, &given) != nullptr, &list);
  }
  const auto collections = Prepared(DumpLikePython(configuration));
  if (!collections.ok()) return collections.status();
  for (const NeededCollection& collection : needed) {
    const auto& reductions = collections.value().at(collection.name).reduction_config;
    if (!collection.whole_tensors || !reductions || reductions->save_raw_tensor) continue;
    ObjectIn(FindEntry(collection.name, &list), kCollectionParameters)["save_raw_tensor"] = true;
  }
  config->text = DumpLikePython(configuration);
  return Status();
}

}  // namespace warden::config
