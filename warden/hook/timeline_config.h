#ifndef WARDEN_HOOK_TIMELINE_CONFIG_H_
#define WARDEN_HOOK_TIMELINE_CONFIG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "warden/base/status.h"
#include "warden/capture/timeline_file.h"

namespace warden::hook {

// What the configuration of a profiler says of timelines; nothing if it switches them off. Keys are
// read whatever their case, numbers also as strings. kCorrupt or kInvalid if it is no such thing.
Result<std::optional<capture::TimelineSettings>> ParseTimelineSettings(std::string_view text);

// Follows the file at $SMPROFILER_CONFIG_PATH, which somebody may write, change and remove while
// the program runs. What is wrong with it is told in the log. For one thread.
class TimelineConfig {
 public:
  // How often the file is looked at, in microseconds.
  static constexpr int64_t kLookUs = 100'000;

  // Looks at the file when kLookUs have passed since the last time.
  void Follow(int64_t now_us);
  // None: nothing is recorded.
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
