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

// Events on their way from the threads that record them to the one that writes them: the inside of
// TimelineWriter. Spans of a known kind take 32 bytes each, so that recording one allocates nothing
// as a rule. Not synchronized; TimelineWriter guards it.
struct TimelineBatch {
  // What is common to spans that come again and again; see TimelineWriter::AddKind.
  struct Kind {
    std::string phase, name, args;
  };
  // Any other event, with its own texts; see TimelineEvent.
  struct Other {
    std::string phase, name, kind, scope, args;

    // What it counts as against most_pending_bytes.
    size_t bytes() const { return phase.size() + name.size() + args.size() + sizeof(*this); }
  };
  // A span of a known kind, or a placeholder for the next of the others.
  struct Entry {
    int64_t start_us;  // Microseconds since 1970.
    int64_t duration_us;
    int64_t step;   // kNoStep: none.
    uint32_t kind;  // Which of the kinds, or kOther.
  };
  static constexpr uint32_t kOther = UINT32_MAX;
  static constexpr int64_t kNoStep = INT64_MIN;

  std::vector<Entry> entries;
  std::deque<Other> others;
  std::optional<TimelineSettings> settings = {};  // New ones,
  size_t change_at = 0;                           // from this entry on.

  // Writes all, in their order, and flushes. An entry of a kind that is not among these is skipped.
  // REQUIRES: as many others as there are entries of kOther.
  void WriteTo(TimelineFile* file, std::span<const Kind> kinds) const;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_TIMELINE_BATCH_H_
