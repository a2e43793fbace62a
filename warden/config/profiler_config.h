#ifndef WARDEN_CONFIG_PROFILER_CONFIG_H_
#define WARDEN_CONFIG_PROFILER_CONFIG_H_

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden::config {

// The part of a profiler's configuration that the monitor follows, and which others may change
// while a job runs: whether, how often and where to measure the machine.
//
//   ProfilerConfigWatch watch(path);
//   for (;;) {
//     if (const auto change = watch.Poll(Clock::now())) Apply(change->config);
//     ... measure ...
//   }

// What a ProfilerConfig in JSON says of watching the machine; what it says of frameworks is read
// in the training process.
struct ProfilerConfig {
  bool enabled = true;                      // DisableProfiler, the other way round.
  std::chrono::milliseconds interval{500};  // ProfilingIntervalInMilliseconds.
  std::string local_path;                   // Empty: not said.

  bool operator==(const ProfilerConfig&) const = default;
};

// The shortest and the longest interval that a monitor can keep.
inline constexpr std::chrono::milliseconds kShortestInterval{1};
inline constexpr std::chrono::milliseconds kLongestInterval{60'000};

// Ok from kShortestInterval to kLongestInterval; kInvalid names the value and what is accepted.
Status CheckInterval(int64_t milliseconds);

// Keys are read whatever their case; those of ProfilingParameters count too, where they do not
// stand at the top. Numbers and truth values may be strings. Unknown keys are ignored: the training
// process has its own. kCorrupt if the text is not JSON; kInvalid names key, value and what is
// accepted.
Result<ProfilerConfig> ParseProfilerConfig(std::string_view text);

// Follows a configuration file that somebody may change, remove and bring back. For one thread.
class ProfilerConfigWatch {
 public:
  using Clock = std::chrono::steady_clock;

  // Does not touch the file yet; it need not exist.
  explicit ProfilerConfigWatch(std::string path) : path_(std::move(path)) {}

  struct Change {
    ProfilerConfig config;  // Not enabled if there is no usable file.
    std::string message;    // What happened, for people: "interval 500 ms -> 100 ms".
    bool broken = false;    // Not enabled because there is no usable file.
  };
  // What changed since the last call, nothing if nothing did. The first call reports what there is.
  // The file is looked at every 200 ms at most, and read only if it looks different. Never fails: a
  // file that is missing, longer than 1 MiB or not valid is a change with broken set, reported once
  // for each reason.
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
