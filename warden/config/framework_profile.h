#ifndef WARDEN_CONFIG_FRAMEWORK_PROFILE_H_
#define WARDEN_CONFIG_FRAMEWORK_PROFILE_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"

namespace warden::config {

// The profiler configuration that `warden run` writes for the training it starts. The hook in the
// training process reads what it says of timelines, the monitor the rest (profiler_config.h).

// What the original's SDK asks for when profiling of the framework is on and nothing else is said:
// each kind costs time in its steps, so each kind has different steps. JSON objects as text, which
// is how the original stores them inside of its configuration.
inline constexpr std::string_view kDetailedProfiling = R"({"StartStep": 5, "NumSteps": 1})";
inline constexpr std::string_view kDataloaderProfiling =
    R"({"StartStep": 7, "NumSteps": 1, "MetricsRegex": ".*"})";
inline constexpr std::string_view kPythonProfiling =
    R"({"StartStep": 9, "NumSteps": 3, "ProfilerName": "cprofile", "cProfileTimer": "default"})";
inline constexpr std::string_view kHorovodProfiling = R"({"StartStep": 13, "NumSteps": 1})";
inline constexpr std::string_view kDataParallelProfiling = R"({"StartStep": 15, "NumSteps": 1})";

// How much a training records about itself.
enum class FrameworkProfile {
  kTimeline,  // Steps, passes, optimizer, data loading: costs next to nothing.
  kDetailed,  // Also operators and Python code, in the steps above.
};

// The text of a profiler's configuration file, as both sides and the original read it. local_path
// is the profiler's folder, interval the time between two measurements of the machine; neither is
// checked here (CheckInterval). Data loaders are on the timeline in all steps, which is more than
// the original's SDK asks for.
std::string ProfilerConfigText(std::string_view local_path, std::chrono::milliseconds interval,
                               FrameworkProfile profile);

// What a training that is running shall record besides the timeline, from its next step on.
struct ProfiledDetails {
  int64_t steps = 0;  // Operators and kernels of so many steps; 0: by time.
  double seconds = 0;
  bool python = false;   // Functions of Python, too, with cProfile.
  bool kernels = false;  // Every kernel, copy and CUDA call instead of operators.
};

// As a change (JSON Merge Patch, RFC 7386) of ProfilingParameters. Asked for again, the same is
// recorded once more.
Json DetailsOf(const ProfiledDetails& details);
// As a change, too: what is being recorded ends with the step.
Json NoDetails();

// The kernels of so many steps, again and again.
struct KernelSteps {
  int64_t steps = 0;
  int64_t every = 0;  // 0: once.
};
// From "10@500", the kernels of 10 steps of every 500, or "10". The first of these steps is the one
// with that number, since a training's very first ones are not like the others. kInvalid for any
// other text.
Result<KernelSteps> ParseKernelSteps(std::string_view text);
// What ProfilingParameters say of them, as text.
std::string KernelProfiling(const KernelSteps& steps);

}  // namespace warden::config

#endif  // WARDEN_CONFIG_FRAMEWORK_PROFILE_H_
