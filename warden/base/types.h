#ifndef WARDEN_BASE_TYPES_H_
#define WARDEN_BASE_TYPES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warden {

// The words of the field that every part shares: bytes, steps and modes.

// A view of bytes that somebody else keeps alive.
using Bytes = std::span<const std::byte>;

// The same memory in the other type; nothing is copied, and the owner does not change.
inline Bytes AsBytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
inline std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A step number, counted from 0; -1 often means "before the first". It always stands beside a Mode:
// with kGlobal it counts all steps of the run, with any other mode only the steps taken in that
// mode. The third step of a training may be step 2 of kGlobal and step 0 of kEval.
using Step = int64_t;

// What the training loop does in a step. The numbers are those on disk. kGlobal is the mode of
// programs that do not set one, and the name for "all modes together" in questions about a run.
enum class Mode : uint8_t { kTrain = 1, kEval = 2, kPredict = 3, kGlobal = 4 };

// Every mode once, in the order of ModeIndex.
inline constexpr std::array<Mode, 4> kAllModes = {Mode::kTrain, Mode::kEval, Mode::kPredict,
                                                  Mode::kGlobal};

// 0 to 3, for arrays with one element for each mode.
constexpr size_t ModeIndex(Mode mode) { return static_cast<size_t>(mode) - 1; }

// "TRAIN", "EVAL", "PREDICT", "GLOBAL": the spelling of index files and manifests. Valid for the
// life of the process.
std::string_view ModeName(Mode mode);

// The mode of that name, in upper case; blanks around it are ignored. Nothing for any other text.
std::optional<Mode> ParseMode(std::string_view name);

}  // namespace warden

#endif  // WARDEN_BASE_TYPES_H_
