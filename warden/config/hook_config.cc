#include "warden/config/hook_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/log.h"
#include "warden/config/json_fields.h"
#include "warden/config/parameters.h"

namespace warden::config {
namespace {

constexpr std::string_view kContext = "hook configuration";
constexpr std::string_view kHookPath = "HookParameters";

// base with the plain save keys over it, and over those the ones for each mode.
Result<SaveConfig> SaveConfigOver(const SaveConfig& base, const Parameters& parameters) {
  SaveConfig config;
  for (Mode mode : kAllModes) {
    Result<SaveConfigMode> plain = parameters.Settings("").Over(base.mode(mode));
    if (!plain.ok()) return plain.status();
    Result<SaveConfigMode> own = parameters.Settings(ModePrefix(mode)).Over(plain.value());
    if (!own.ok()) return own.status();
    config.mode(mode) = std::move(own).value();
  }
  return config;
}

// Reductions replace those of base, and with them goes its raw tensor; the rest is put over it.
ReductionConfig ReductionConfigOver(const ReductionConfig& base, const Parameters& parameters) {
  ReductionConfig config = base;
  if (const auto* reductions = parameters.Get<std::vector<Reduction>>("reductions")) {
    config = ReductionConfig();
    config.order = *reductions;
    config.reductions = ReductionBits(*reductions);
    config.save_raw_tensor = reductions->empty();
  }
  config.save_raw_tensor = parameters.GetOr("save_raw_tensor", config.save_raw_tensor);
  config.save_shape = parameters.GetOr("save_shape", config.save_shape);
  return config;
}

bool AllWorkers(const std::string& include_workers) {
  if (include_workers != "all" && include_workers != "one") {
    LogWarning(
        "HookParameters.include_workers is {}; expected \"one\" or \"all\". One worker saves.",
        Shown(Json(include_workers)));
  }
  return include_workers == "all";
}

Status ReadFsync(const Parameters& parameters, Fsync* fsync) {
  const std::string text = parameters.GetOr("fsync", std::string(FsyncName(Fsync::kOff)));
  const auto read = ParseFsync(text);
  if (!read) {
    return Status(Code::kInvalid, fmt::format("{}.fsync is {}; expected \"off\", \"step\" or "
                                              "\"close\"",
                                              kHookPath, Shown(Json(text))));
  }
  *fsync = *read;
  return Status();
}

Status ReadHookParameters(const Json& json, HookConfig* config) {
  Result<Parameters> read =
      Parameters::Read(json, kHookPath, {SharedKeys(), HookKeys()}, UnknownKeys::kWarn);
  if (!read.ok()) return read.status();
  const Parameters& parameters = read.value();
  Result<SaveConfig> save_config = SaveConfigOver(config->save_config, parameters);
  if (!save_config.ok()) return save_config.status().WithContext(kHookPath);
  config->save_config = std::move(save_config).value();
  config->reduction_config = ReductionConfigOver(config->reduction_config, parameters);
  config->include_regex = parameters.GetOr("include_regex", std::vector<std::string>());
  config->save_all = parameters.GetOr("save_all", false);
  config->all_workers = AllWorkers(parameters.GetOr("include_workers", std::string("one")));
  config->tensorboard_dir = parameters.GetOr("tensorboard_dir", std::string());
  config->export_tensorboard =
      parameters.GetOr("export_tensorboard", false) || !config->tensorboard_dir.empty();
  config->dry_run = parameters.GetOr("dry_run", false);
  return ReadFsync(parameters, &config->fsync);
}

Status ReadCollectionParameters(const Json& json, std::string_view path, const HookConfig& hook,
                                Collection* collection) {
  Result<Parameters> read =
      Parameters::Read(json, path, {SharedKeys(), CollectionKeys()}, UnknownKeys::kWarn);
  if (!read.ok()) return read.status();
  const Parameters& parameters = read.value();
  Result<SaveConfig> save_config =
      SaveConfigOver(collection->save_config.value_or(hook.save_config), parameters);
  if (!save_config.ok()) return save_config.status().WithContext(path);
  collection->save_config = std::move(save_config).value();
  collection->reduction_config =
      ReductionConfigOver(collection->reduction_config.value_or(hook.reduction_config), parameters);
  const auto patterns = parameters.GetOr("include_regex", std::vector<std::string>());
  collection->include_regex.insert(collection->include_regex.end(), patterns.begin(),
                                   patterns.end());
  collection->save_histogram = parameters.GetOr("save_histogram", collection->save_histogram);
  return Status();
}

// Of a collection that is listed twice, the smaller interval counts: the user asks for one, and a
// rule's own configuration, which the SDK adds to the list, for another.
void KeepFiner(const SaveConfig& before, SaveConfig* now) {
  for (const Mode mode : kAllModes) {
    const SaveConfigMode& old = before.mode(mode);
    SaveConfigMode& changed = now->mode(mode);
    changed.save_interval = std::min(old.save_interval, changed.save_interval);
    if (old.save_seconds) {
      changed.save_seconds =
          std::min(*old.save_seconds, changed.save_seconds.value_or(*old.save_seconds));
    }
  }
}

// One element of CollectionConfigurations. A collection listed twice is changed twice.
Status ReadCollectionEntry(const Json& json, std::string_view path, const Collections& builtins,
                           HookConfig* config) {
  Result<Parameters> entry = Parameters::Read(json, path, {EntryKeys()}, UnknownKeys::kWarn);
  if (!entry.ok()) return entry.status();
  const std::string name = entry.value().GetOr("CollectionName", std::string());
  if (name.empty()) {
    return Status(Code::kInvalid,
                  fmt::format("{}.CollectionName is missing; expected a name", path));
  }
  if (const auto builtin = builtins.find(name); builtin != builtins.end()) {
    config->collections.insert(*builtin);
  }
  Collection& collection = config->collections[name];
  auto& included = config->include_collections;
  const bool again = std::find(included.begin(), included.end(), name) != included.end();
  if (!again) included.push_back(name);
  const SaveConfig before = collection.save_config.value_or(config->save_config);
  if (const auto* parameters = entry.value().Get<const Json*>("CollectionParameters")) {
    Status read = ReadCollectionParameters(
        **parameters, fmt::format("{}.CollectionParameters", path), *config, &collection);
    if (!read.ok()) return read;
  }
  if (again && collection.save_config) {
    KeepFiner(before, &*collection.save_config);
  }
  return Status();
}

Status ReadCollections(const Json& list, Framework framework, HookConfig* config) {
  const Collections builtins = BuiltinCollections(framework);
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string path = fmt::format("CollectionConfigurations[{}]", i);
    Status status = ReadCollectionEntry(list[i], path, builtins, config);
    if (!status.ok()) return status;
  }
  return Status();
}

}  // namespace

std::string_view FsyncName(Fsync fsync) {
  switch (fsync) {
    case Fsync::kOff: return "off";
    case Fsync::kStep: return "step";
    case Fsync::kClose: return "close";
  }
  return "";
}

std::optional<Fsync> ParseFsync(std::string_view name) {
  for (const Fsync fsync : {Fsync::kOff, Fsync::kStep, Fsync::kClose}) {
    if (name == FsyncName(fsync)) return fsync;
  }
  return std::nullopt;
}

int64_t DefaultSaveInterval(Framework framework) {
  return framework == Framework::kXgBoost ? 10 : kDefaultSaveInterval;
}

std::string RemoteOutput(const Json& configuration) {
  const auto path = configuration.find("S3OutputPath");
  if (path == configuration.end() || !path->is_string()) return "";
  std::string url = *path;
  return url.starts_with("s3://") ? url : "";
}

Result<HookConfig> ParseHookConfig(std::string_view text, Framework framework) {
  Result<Json> json = ParseJson(text);
  if (!json.ok()) return json.status().WithContext(kContext);
  if (!json.value().is_object()) {
    return WrongType("an object", json.value()).WithContext(kContext);
  }
  Result<Parameters> file = Parameters::Read(json.value(), "", {FileKeys()}, UnknownKeys::kIgnore);
  if (!file.ok()) return file.status();
  HookConfig config;
  const std::string remote = RemoteOutput(json.value());
  config.out_dir =
      file.value().GetOr("LocalPath", remote.empty() ? std::string(kDefaultOutDir) : remote);
  if (config.out_dir.empty()) {
    return Status(Code::kInvalid, "LocalPath is empty; expected a folder or an s3:// address");
  }
  SaveConfigMode defaults;
  defaults.save_interval = DefaultSaveInterval(framework);
  config.save_config = SaveConfig::Same(defaults);
  if (const auto* hook = file.value().Get<const Json*>("HookParameters")) {
    if (Status status = ReadHookParameters(**hook, &config); !status.ok()) return status;
  }
  if (const auto* list = file.value().Get<const Json*>("CollectionConfigurations")) {
    if (Status status = ReadCollections(**list, framework, &config); !status.ok()) return status;
  }
  return config;
}

}  // namespace warden::config
