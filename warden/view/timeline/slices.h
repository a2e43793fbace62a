#ifndef WARDEN_VIEW_TIMELINE_SLICES_H_
#define WARDEN_VIEW_TIMELINE_SLICES_H_

// What to draw of a timeline in a window of a given width: at most about two slices for each pixel
// of a row, whatever the number of events. The page asks for it at each zoom and move, so it takes
// time in proportion to what is drawn, not to what is in the window.
//
//   const Slices slices = SlicesOf(*snapshot, {.window = {from_ns, to_ns}, .width = 1600});

#include <cstdint>
#include <span>
#include <vector>

#include "warden/view/timeline/snapshot.h"

namespace warden::view {

// What is to be drawn, column by column; all of one length.
struct Slices {
  std::vector<uint32_t> track;   // A TrackId.
  std::vector<uint32_t> depth;   // Row of the track.
  std::vector<double> start;     // Microseconds since the timeline's start.
  std::vector<double> duration;  // Microseconds.
  // Of the one event, or of the name that most of the time of the joined ones went to.
  std::vector<LabelId> name;
  std::vector<uint32_t> count;  // Events that it stands for.
  // Of the event, for asking for its details; of the first one if several were joined.
  std::vector<EventId> id;
  // Microseconds of a pixel: shorter events were joined. More than was asked for if there were too
  // many slices.
  double pixel_us = 0;
  // Some are missing: even one slice for each row is more than `most`. The page says so.
  bool cut = false;

  size_t size() const { return track.size(); }
};

// What to draw.
struct SlicesQuery {
  SpanWindow window;
  // Pixels of the window on the screen; at least 1.
  int64_t width = 1000;
  std::vector<TrackId> tracks;  // All if empty; unknown ones are ignored.
  // Where there would be more, pixels are taken as twice as wide, until there are not.
  size_t most = 100'000;
};

// Events of at least a pixel one by one; of the shorter ones, those that begin in the same pixel of
// a row together. Pixels are counted from the start of the timeline, so that neighboring windows of
// the same zoom fit together. Safe for many threads.
Slices SlicesOf(const TimelineSnapshot& snapshot, const SlicesQuery& query);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_SLICES_H_
