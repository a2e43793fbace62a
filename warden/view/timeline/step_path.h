#ifndef WARDEN_VIEW_TIMELINE_STEP_PATH_H_
#define WARDEN_VIEW_TIMELINE_STEP_PATH_H_

// The critical path of a step: the chain of spans that its duration consists of. Found by walking
// back from the end of the step: along its thread, from a wait to what it waited for, from a kernel
// to the one before it on its stream or to what launched it. Used by the dashboard and by `warden
// timeline path`.
//
//   const auto step = FindStep(*snapshot, {.step = 12});
//   const StepPath path = PathOf(*snapshot, step.value());

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/view/timeline/snapshot.h"

namespace warden::view {

// What a piece of a path was spent on. The first ones are on a CPU.
enum class PathKind : uint8_t {
  kDataLoading,
  kForward,
  kBackward,
  kOptimizer,
  kOperator,       // An operator in none of these phases.
  kCommunication,  // Between processes, on a CPU or a GPU.
  kKernel,         // A GPU computes, ...
  kCopy,           // ... copies or clears memory, ...
  kLaunch,         // ... or has work that it has not begun with.
  kOther,          // Nothing of the above: what the training loop does between them.
};
inline constexpr size_t kPathKinds = static_cast<size_t>(PathKind::kOther) + 1;
// "data loading", "GPU kernels".
std::string_view NameOf(PathKind kind);

// What a piece has to do with the one that follows it.
enum class PathLink : uint8_t {
  kEnd,       // Nothing follows: the step ends.
  kNext,      // The same thread continues.
  kAwaited,   // The next one waited for it.
  kStarted,   // It started the next one on another thread.
  kLaunched,  // It launched the next one.
  kQueued,    // The next one had to wait for its end on the same stream.
  kUnknown,   // The timeline does not say; the main thread is assumed to.
};
// "the next piece waited for it".
std::string_view WordsOf(PathLink link);

// A part of a span, or several short ones after each other.
struct PathPiece {
  EventId id = 0;  // Of the longest of them.
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  PathKind kind = PathKind::kOther;
  PathLink link = PathLink::kEnd;
  uint32_t count = 1;
};

// A step of a process.
struct StepSpan {
  EventId id = 0;
  int64_t step = 0;
  int64_t start_ns = 0;
  int64_t duration_ns = 0;
};

// The path of one step.
struct StepPath {
  StepSpan step;
  std::vector<PathPiece> pieces;  // By time; together they are the step.
  std::array<double, kPathKinds> ns = {};
  // What could not be known, for users.
  std::vector<std::string> notes;
};

// Which step; what is not said is chosen.
struct StepQuery {
  std::optional<int64_t> step = {};  // By default one of the usual duration.
  std::string mode = {};             // "TRAIN"; by default this if there is such a step.
  std::string node = {};             // "algo-1-88"; by default the first one.
};

// The steps of one mode of one process.
struct StepList {
  std::string mode;  // "TRAIN"; "profiler" for those of PyTorch's profiler.
  std::string node;
  std::vector<StepSpan> steps;  // By start.
};
// By mode, TRAIN first, then node.
std::vector<StepList> StepsOf(const TimelineSnapshot& snapshot);

// The step that is meant. kNotFound says which there are.
Result<StepSpan> FindStep(const TimelineSnapshot& snapshot, const StepQuery& query);

// The path of a step. Looks at the events of its process in its time, at most half a million of
// each thread. Safe for many threads.
StepPath PathOf(const TimelineSnapshot& snapshot, const StepSpan& step);

// Puts short pieces together with their neighbors until there are at most 2 * most + 1.
std::vector<PathPiece> Shortened(std::vector<PathPiece> pieces, size_t most);

// The steps there are, and the path of one; at most about 2 * most pieces. Times in microseconds.
Result<Json> PathJson(const TimelineSnapshot& snapshot, const StepQuery& query, size_t most);

// What steps wait for: medians over the steps of a mode of a process, at most 200 of them, evenly
// chosen; by kind and, at most `most` of them, by name. query.step is ignored.
Result<Json> WaitsJson(const TimelineSnapshot& snapshot, const StepQuery& query, size_t most);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_STEP_PATH_H_
