#ifndef WARDEN_VIEW_TIMELINE_STATISTICS_H_
#define WARDEN_VIEW_TIMELINE_STATISTICS_H_

// Times by name for the part of a timeline that is selected.

#include <cstdint>
#include <vector>

#include "warden/view/timeline/snapshot.h"

namespace warden::view {

// What the events of one label took, in nanoseconds.
struct NameTimes {
  LabelId label = 0;
  uint64_t count = 0;
  double total_ns = 0;  // Sums may be longer than 63 bits.
  double self_ns = 0;   // Without the events within them.
  int64_t longest_ns = 0;
};

// Of all events that overlap the window, however little, with their whole lengths; by total time,
// longest first. tracks: all if empty; unknown ones are ignored. Safe for many threads.
std::vector<NameTimes> TimesByName(const TimelineSnapshot& snapshot, const SpanWindow& window,
                                   const std::vector<TrackId>& tracks);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_STATISTICS_H_
