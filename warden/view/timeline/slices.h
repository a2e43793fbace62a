#ifndef WARDEN_VIEW_TIMELINE_SLICES_H_
#define WARDEN_VIEW_TIMELINE_SLICES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "warden/view/timeline/snapshot.h"

namespace warden::view {

// What is to be drawn, column by column.
struct Slices {
  std::vector<uint32_t> track;
  std::vector<uint32_t> depth;
  std::vector<double> start;  // Microseconds since the timeline's start.
  std::vector<double> duration;
  std::vector<LabelId> name;
  std::vector<uint32_t> count;
  std::vector<EventId> id;  // Of the first, where it is more than one.
  double pixel_us = 0;      // What is shorter than that was joined.
  bool cut = false;         // There are so many rows that even that was not enough.

  size_t size() const { return track.size(); }
};

struct SlicesQuery {
  TimeWindow window;
  int64_t width = 1000;         // Pixels.
  std::vector<TrackId> tracks;  // All if empty; those that do not exist are passed over.
  // Where there would be more, pixels are taken as twice as wide, until there are not.
  size_t most = 100'000;
};

// Events of at least a pixel one by one; of the shorter ones, those that begin in the same pixel of
// a row together: at most two slices for a pixel of a row. Pixels are counted from the start of the
// timeline, so that neighbouring windows of the same zoom fit together.
Slices SlicesOf(const TimelineSnapshot& snapshot, const SlicesQuery& query);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_SLICES_H_
