#ifndef WARDEN_CONFIG_SAVE_CONFIG_H_
#define WARDEN_CONFIG_SAVE_CONFIG_H_

#include <array>
#include <optional>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::config {

inline constexpr int64_t kDefaultSaveInterval = 500;

// Which steps of one mode are saved: those listed, and of [start, end) every interval-th.
struct SaveConfigMode {
  int64_t save_interval = kDefaultSaveInterval;  // At least 1.
  Step start_step = 0;
  std::optional<Step> end_step = {};  // Exclusive; none: no end.
  std::vector<Step> save_steps = {};  // Beyond start and end too. Sorted, each once.

  bool ShouldSave(Step mode_step) const;
  bool operator==(const SaveConfigMode&) const = default;
};

// Settings of one mode of which any may be left open, to be taken from somewhere else.
struct SaveSettings {
  std::optional<int64_t> save_interval = {};
  std::optional<Step> start_step = {};
  std::optional<Step> end_step = {};
  std::optional<std::vector<Step>> save_steps = {};

  bool empty() const { return !save_interval && !start_step && !end_step && !save_steps; }
  // base with what is set here put over it. kInvalid if the result makes no sense (interval below
  // 1, negative step): the message names the setting and its value.
  Result<SaveConfigMode> Over(const SaveConfigMode& base) const;
};

// One configuration for each mode.
struct SaveConfig {
  std::array<SaveConfigMode, 4> modes;  // By ModeIndex.

  const SaveConfigMode& mode(Mode m) const { return modes[ModeIndex(m)]; }
  SaveConfigMode& mode(Mode m) { return modes[ModeIndex(m)]; }
  static SaveConfig Same(const SaveConfigMode& config) {
    return {{config, config, config, config}};
  }
  bool ShouldSave(Mode m, Step mode_step) const { return mode(m).ShouldSave(mode_step); }
  bool operator==(const SaveConfig&) const = default;
};

// The form of collection manifests: {"TRAIN": {"save_interval": ..., "save_steps": [...],
// "start_step": ..., "end_step": ...}, ...}. Reading takes a null or missing mode as the default.
Json ToJson(const SaveConfig& config);
Result<SaveConfig> SaveConfigFromJson(const Json& json);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_SAVE_CONFIG_H_
