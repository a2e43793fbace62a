#include "warden/base/types.h"

#include "warden/base/strings.h"

namespace warden {

std::string_view ModeName(Mode mode) {
  switch (mode) {
    case Mode::kTrain: return "TRAIN";
    case Mode::kEval: return "EVAL";
    case Mode::kPredict: return "PREDICT";
    case Mode::kGlobal: return "GLOBAL";
  }
  return "GLOBAL";
}

std::optional<Mode> ParseMode(std::string_view name) {
  const std::string_view trimmed = Trim(name);
  for (Mode mode : kAllModes) {
    if (ModeName(mode) == trimmed) return mode;
  }
  return std::nullopt;
}

}  // namespace warden
