#ifndef WARDEN_VIEW_TIMELINE_STATISTICS_H_
#define WARDEN_VIEW_TIMELINE_STATISTICS_H_

// Times by name for the part of a timeline that is selected: the table below the dashboard's
// timeline, made again whenever the selection changes. Looks at every event of the window once.

#include <cstdint>
#include <vector>

#include "warden/view/timeline/snapshot.h"

namespace warden::view {

// What the events of one label took, in nanoseconds. A label is a name with its category, so that a
// kernel and an operator of one name are two rows.
struct NameTimes {
  LabelId label = 0;
  uint64_t count = 0;
  double total_ns = 0;  // Sums may be longer than 63 bits.
  // Without the events that lie within them on the same track, one level deeper. Never negative.
  double self_ns = 0;
  int64_t longest_ns = 0;
};

// Of all events that overlap the window, however little, with the part of their time that lies in
// it; by total time, longest first. tracks: all if empty; unknown ones are ignored. Safe for many
// threads. A track that is named twice is counted twice.
std::vector<NameTimes> TimesByName(const TimelineSnapshot& snapshot, const SpanWindow& window,
                                   const std::vector<TrackId>& tracks);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_STATISTICS_H_
