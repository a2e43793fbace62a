#ifndef WARDEN_CAPTURE_TIMELINE_BATCH_H_
#define WARDEN_CAPTURE_TIMELINE_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "warden/capture/timeline_file.h"

namespace warden::capture {

// Events on their way from the threads that record them to the one that writes them.
struct TimelineBatch {
  // Of spans that come again and again.
  struct Kind {
    std::string phase, name, args;
  };
  // An event with names of its own.
  struct Other {
    std::string phase, name, kind, scope, args;

    size_t bytes() const { return phase.size() + name.size() + args.size() + sizeof(*this); }
  };
  // A span of a known kind, or a place holder for the next of the others.
  struct Entry {
    int64_t start_us;
    int64_t duration_us;
    int64_t step;
    uint32_t kind;
  };
  static constexpr uint32_t kOther = UINT32_MAX;
  static constexpr int64_t kNoStep = INT64_MIN;

  std::vector<Entry> entries;
  std::deque<Other> others;
  std::optional<TimelineSettings> settings = {};  // New ones,
  size_t change_at = 0;                           // from this entry on.

  // Writes all, in their order. An entry of a kind that is not among these is passed over.
  void WriteTo(TimelineFile* file, std::span<const Kind> kinds) const;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_TIMELINE_BATCH_H_
