#ifndef WARDEN_VIEW_TIMELINE_SNAPSHOT_H_
#define WARDEN_VIEW_TIMELINE_SNAPSHOT_H_

// A timeline at one moment, as all queries of the dashboard see it. RunTimeline hands out the
// latest; slices.h, search.h, statistics.h and timeline_answers.h answer from it.
//
//   const std::shared_ptr<const TimelineSnapshot> snapshot = timeline.snapshot();
//   const Slices slices = SlicesOf(*snapshot, {.window = {from_ns, to_ns}, .width = 1600});

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "warden/timeline/host_clocks.h"
#include "warden/view/timeline/event_store.h"
#include "warden/view/timeline/links.h"
#include "warden/view/timeline/track_index.h"
#include "warden/view/timeline/tracks.h"

namespace warden::view {

// What is known of a timeline at one moment. Does not change, so that any number of threads can
// look at it while more is read. Holds everything that it refers to. Cheap to make and to hold: the
// events are shared with later snapshots, and only tracks with new events have another index. A
// request takes one and answers everything from it, so that its numbers fit together.
struct TimelineSnapshot {
  // One track.
  struct Track {
    TrackName name;
    std::shared_ptr<const TrackIndex> index;  // Never null.
  };

  // Never null. It grows while others read: use only the first `events` of it.
  std::shared_ptr<const EventStore> store;
  std::vector<Track> tracks;  // By their ids.
  // All tracks as people look at them (InOrder): what the page draws from top to bottom.
  std::vector<TrackId> order;
  std::shared_ptr<const LinkTable> links;  // Never null.
  size_t events = 0;                       // EventIds are below this, ...
  size_t labels = 0;                       // ... and LabelIds below this.
  size_t steps = 0;                        // Steps of the store.
  int64_t start_ns = 0;  // Since 1970, rounded down to microseconds; 0 without events.
  int64_t end_ns = 0;    // Rounded up.

  // All that was there at first has been read. Stays true while a live run adds more.
  bool done = false;
  uint64_t bytes_read = 0;   // Of trace files.
  uint64_t bytes_known = 0;  // Their size, as far as known; at least bytes_read.
  // By how much the times of hosts were moved, so that all are by one clock.
  timeline::HostClocks clocks;
  // Texts for users: files and events that could not be read, and how many events were too many.
  std::vector<std::string> problems;

  // A time as pages have it: microseconds since the start of the timeline. A double is exact to the
  // nanosecond for a hundred days of such times, unlike for times since 1970.
  double Us(int64_t time_ns) const { return static_cast<double>(time_ns - start_ns) / 1e3; }
};

// Times that windows may have; such that the length of one fits into 63 bits.
inline constexpr int64_t kFirstNs = -2'000'000'000'000'000'000;
inline constexpr int64_t kLastNs = 7'000'000'000'000'000'000;

// A part of the time of a timeline, [from_ns, to_ns), not empty and within kFirstNs and kLastNs.
// Callers ensure that; queries do not check it.
struct SpanWindow {
  int64_t from_ns = 0;
  int64_t to_ns = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_SNAPSHOT_H_
