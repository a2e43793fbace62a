#ifndef WARDEN_CONFIG_PROFILER_CONFIG_H_
#define WARDEN_CONFIG_PROFILER_CONFIG_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::config {

// What a ProfilerConfig in JSON says of watching the machine; what it says of frameworks is read
// in the training process.
struct ProfilerConfig {
  bool enabled = true;                      // DisableProfiler, the other way round.
  std::chrono::milliseconds interval{500};  // ProfilingIntervalInMilliseconds.
  std::string local_path;                   // Empty: not said.

  bool operator==(const ProfilerConfig&) const = default;
};

// The intervals that a monitor can keep.
inline constexpr std::chrono::milliseconds kShortestInterval{1};
inline constexpr std::chrono::milliseconds kLongestInterval{60'000};

// kInvalid names the value and what is accepted.
Status CheckInterval(int64_t milliseconds);

// Keys are read whatever their case; those of ProfilingParameters count too, where they do not
// stand at the top. Numbers and truth values may be strings. Unknown keys are none of ours.
// kCorrupt if the text is no JSON, kInvalid names key, value and what is accepted.
Result<ProfilerConfig> ParseProfilerConfig(std::string_view text);

// Looks after a configuration file that somebody may change, remove and bring back. For one thread.
class ProfilerConfigWatch {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ProfilerConfigWatch(std::string path) : path_(std::move(path)) {}

  struct Change {
    ProfilerConfig config;  // Not enabled if there is no usable file.
    std::string message;    // What happened, for people: "interval 500 ms -> 100 ms".
    bool broken = false;    // Not enabled because there is no usable file.
  };
  // What changed since the last call, nothing if nothing did. The first call tells what there is.
  // The file is looked at every 200 ms at most, and read only if it looks different.
  std::optional<Change> Poll(Clock::time_point now);

 private:
  struct Looks {
    bool exists = false;
    int64_t device = 0, inode = 0, size = 0, changed_ns = 0;
    bool operator==(const Looks&) const = default;
  };
  Looks Look() const;
  Change Read() const;

  const std::string path_;
  std::optional<Clock::time_point> last_look_;
  Looks looks_;
  std::optional<Change> last_;
};

}  // namespace warden::config

#endif  // WARDEN_CONFIG_PROFILER_CONFIG_H_
