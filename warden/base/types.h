#ifndef WARDEN_BASE_TYPES_H_
#define WARDEN_BASE_TYPES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warden {

// A view of bytes that somebody else keeps alive.
using Bytes = std::span<const std::byte>;

inline Bytes AsBytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
inline std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A step number, counted from 0. It always stands beside a Mode: with kGlobal it counts all steps
// of the run, with any other mode only the steps taken in that mode.
using Step = int64_t;

// The numbers are those on disk.
enum class Mode : uint8_t { kTrain = 1, kEval = 2, kPredict = 3, kGlobal = 4 };

inline constexpr std::array<Mode, 4> kAllModes = {Mode::kTrain, Mode::kEval, Mode::kPredict,
                                                  Mode::kGlobal};

// 0 to 3, for arrays with one element for each mode.
constexpr size_t ModeIndex(Mode mode) { return static_cast<size_t>(mode) - 1; }

// "TRAIN", "EVAL", "PREDICT", "GLOBAL".
std::string_view ModeName(Mode mode);

// The mode of that name, in upper case; blanks around it are ignored.
std::optional<Mode> ParseMode(std::string_view name);

}  // namespace warden

#endif  // WARDEN_BASE_TYPES_H_
