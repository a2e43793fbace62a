#ifndef WARDEN_HOOK_TIMELINE_CONFIG_H_
#define WARDEN_HOOK_TIMELINE_CONFIG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/capture/timeline_file.h"

namespace warden::hook {

// Whether and where a C or C++ program records its timeline: from the configuration that `warden
// run` or a SageMaker job writes for the profiler (config/framework_profile.h).

// What the configuration of a profiler says of timelines; nothing if it switches the profiler off
// or has no ProfilingParameters. Keys are read whatever their case, numbers also as strings; a
// missing LocalPath means SageMaker's folder. kCorrupt if the text is not JSON, kInvalid for a bad
// value, which the message names with what is accepted.
Result<std::optional<capture::TimelineSettings>> ParseTimelineSettings(std::string_view text);

// Follows the file at $SMPROFILER_CONFIG_PATH (default: SageMaker's), which somebody may write,
// change and remove while the program runs. A file that is not valid switches the timeline off and
// is logged as a warning. For one thread.
//
//   config.Follow(capture::TimelineNowUs());
//   if (config.settings()) ... record ...
class TimelineConfig {
 public:
  // How often the file is looked at, in microseconds.
  static constexpr int64_t kLookUs = 100'000;

  // Looks at the file when kLookUs have passed since the last time; costs a comparison otherwise.
  // Reads it only if it has changed or is younger than a second. now_us: microseconds since 1970.
  void Follow(int64_t now_us);
  // As of the last look. None: nothing is recorded, as there is no usable file or it says so.
  const std::optional<capture::TimelineSettings>& settings() const { return settings_; }

 private:
  // What tells that a file has changed.
  struct Stamp {
    int64_t inode = 0, size = 0, changed_ns = 0;
    bool operator==(const Stamp&) const = default;
  };

  std::optional<capture::TimelineSettings> settings_;
  std::string path_;
  std::optional<Stamp> stamp_;  // None: there is no file.
  int64_t next_look_us_ = 0;
};

}  // namespace warden::hook

#endif  // WARDEN_HOOK_TIMELINE_CONFIG_H_
