#include "warden/config/save_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/base/json.h"
#include "warden/config/json_fields.h"

namespace warden::config {
namespace {

Status TooSmall(std::string_view setting, int64_t value, int64_t least) {
  return Status(Code::kInvalid,
                fmt::format("{} is {}; expected an integer of at least {}", setting, value, least));
}

Status Check(const SaveConfigMode& config) {
  if (config.save_interval < 1) return TooSmall("save_interval", config.save_interval, 1);
  if (config.start_step < 0) return TooSmall("start_step", config.start_step, 0);
  if (config.end_step && *config.end_step < 0) return TooSmall("end_step", *config.end_step, 0);
  if (!config.save_steps.empty() && config.save_steps.front() < 0) {
    return TooSmall("save_steps", config.save_steps.front(), 0);
  }
  if (config.save_seconds && *config.save_seconds < 1) {
    return TooSmall("save_seconds", *config.save_seconds, 1);
  }
  return Status();
}

Json ModeToJson(const SaveConfigMode& config) {
  Json json = Json::object();
  json["save_interval"] = config.save_interval;
  json["save_steps"] = config.save_steps;
  json["start_step"] = config.start_step;
  json["end_step"] = config.end_step ? Json(*config.end_step) : Json();
  // The original library does not know it.
  if (config.save_seconds) json["save_seconds"] = *config.save_seconds;
  return json;
}

Result<SaveConfigMode> ModeFromJson(const Json& json) {
  SaveSettings settings;
  Fields fields(json);
  fields.Read("save_interval", &settings.save_interval);
  fields.Read("start_step", &settings.start_step);
  fields.Read("end_step", &settings.end_step);
  fields.Read("save_steps", &settings.save_steps);
  fields.Read("save_seconds", &settings.save_seconds);
  if (!fields.status().ok()) return fields.status();
  return settings.Over(SaveConfigMode());
}

}  // namespace

bool SaveConfigMode::ShouldSave(Step mode_step) const {
  if (std::binary_search(save_steps.begin(), save_steps.end(), mode_step)) return true;
  if (mode_step < start_step || (end_step && mode_step >= *end_step)) return false;
  return mode_step % save_interval == 0;
}

Result<SaveConfigMode> SaveSettings::Over(const SaveConfigMode& base) const {
  SaveConfigMode config = base;
  if (save_interval) config.save_interval = *save_interval;
  if (start_step) config.start_step = *start_step;
  if (end_step) config.end_step = end_step;
  if (save_seconds) config.save_seconds = save_seconds;
  if (save_steps) {
    config.save_steps = *save_steps;
    std::sort(config.save_steps.begin(), config.save_steps.end());
    const auto last = std::unique(config.save_steps.begin(), config.save_steps.end());
    config.save_steps.erase(last, config.save_steps.end());
  }
  if (Status status = Check(config); !status.ok()) return status;
  return config;
}

Json ToJson(const SaveConfig& config) {
  Json json = Json::object();
  for (Mode mode : kAllModes) json[std::string(ModeName(mode))] = ModeToJson(config.mode(mode));
  return json;
}

Result<SaveConfig> SaveConfigFromJson(const Json& json) {
  if (!json.is_object()) return WrongType("an object", json);
  SaveConfig config;
  for (Mode mode : kAllModes) {
    const Json* member = Member(json, ModeName(mode));
    if (member == nullptr) continue;
    Result<SaveConfigMode> read = ModeFromJson(*member);
    if (!read.ok()) return read.status().WithContext(ModeName(mode));
    config.mode(mode) = std::move(read).value();
  }
  return config;
}

}  // namespace warden::config
