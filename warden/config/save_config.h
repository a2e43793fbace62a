#ifndef WARDEN_CONFIG_SAVE_CONFIG_H_
#define WARDEN_CONFIG_SAVE_CONFIG_H_

#include <array>
#include <optional>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::config {

// When a collection is saved, for each mode. SaveConfig is complete and decides; SaveSettings is
// what somebody wrote, in part, and is put over a complete one:
//
//   SaveSettings settings;
//   settings.save_interval = 10;
//   const auto mode = settings.Over(SaveConfigMode());  // kInvalid if it makes no sense.
//   const SaveConfig config = SaveConfig::Same(mode.value());
//   config.ShouldSave(Mode::kTrain, 20);                // true

// In steps. XGBoost has another default: see DefaultSaveInterval.
inline constexpr int64_t kDefaultSaveInterval = 500;

// Which steps of one mode are saved: those listed, and of [start, end) those whose number is a
// multiple of the interval. With save_seconds also the first one, and any that begins that long
// after the last saved one. A plain value.
struct SaveConfigMode {
  int64_t save_interval = kDefaultSaveInterval;  // At least 1.
  Step start_step = 0;
  std::optional<Step> end_step = {};         // Exclusive; none: no end.
  std::vector<Step> save_steps = {};         // Beyond start and end too. Sorted, each once.
  std::optional<int64_t> save_seconds = {};  // At least 1; beyond start and end too.

  // mode_step counts the steps of the mode; of kGlobal, all steps. Without save_seconds, which only
  // the hook can tell. REQUIRES: save_interval > 0 and save_steps are sorted, as SaveSettings::Over
  // leaves them.
  bool ShouldSave(Step mode_step) const;
  bool operator==(const SaveConfigMode&) const = default;
};

// Settings of one mode of which any may be left open, to be taken from somewhere else.
struct SaveSettings {
  std::optional<int64_t> save_interval = {};
  std::optional<Step> start_step = {};
  std::optional<Step> end_step = {};
  std::optional<std::vector<Step>> save_steps = {};
  std::optional<int64_t> save_seconds = {};

  bool empty() const {
    return !save_interval && !start_step && !end_step && !save_steps && !save_seconds;
  }
  // base with what is set here put over it; save_steps are sorted, each once. kInvalid if the
  // result makes no sense (interval below 1, negative step): the message names the setting and its
  // value.
  Result<SaveConfigMode> Over(const SaveConfigMode& base) const;
};

// One configuration for each mode.
struct SaveConfig {
  std::array<SaveConfigMode, 4> modes;  // By ModeIndex.

  // The settings of one mode. kGlobal is for programs that do not set a mode, not a default for the
  // others.
  const SaveConfigMode& mode(Mode m) const { return modes[ModeIndex(m)]; }
  SaveConfigMode& mode(Mode m) { return modes[ModeIndex(m)]; }
  static SaveConfig Same(const SaveConfigMode& config) {
    return {{config, config, config, config}};
  }
  bool ShouldSave(Mode m, Step mode_step) const { return mode(m).ShouldSave(mode_step); }
  bool operator==(const SaveConfig&) const = default;
};

// The form of collection manifests: {"TRAIN": {"save_interval": ..., "save_steps": [...],
// "start_step": ..., "end_step": ...}, ...}, and "save_seconds" where it is set. Reading takes a
// null or missing mode or setting as the default of SaveConfigMode. kInvalidType for a member of
// the wrong type, kInvalid for a value that makes no sense; the message names the mode and the
// setting.
Json ToJson(const SaveConfig& config);
Result<SaveConfig> SaveConfigFromJson(const Json& json);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_SAVE_CONFIG_H_
