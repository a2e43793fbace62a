#ifndef WARDEN_VIEW_TIMELINE_SNAPSHOT_H_
#define WARDEN_VIEW_TIMELINE_SNAPSHOT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "warden/view/timeline/event_store.h"
#include "warden/view/timeline/links.h"
#include "warden/view/timeline/track_index.h"
#include "warden/view/timeline/tracks.h"

namespace warden::view {

// What is known of a timeline at one moment. Does not change, so that any number of threads can
// look at it while more is read.
struct TimelineSnapshot {
  struct Track {
    TrackName name;
    std::shared_ptr<const TrackIndex> index;  // Never null.
  };

  std::shared_ptr<const EventStore> store;
  std::vector<Track> tracks;   // By their ids.
  std::vector<TrackId> order;  // As people look at them.
  std::shared_ptr<const LinkTable> links;
  size_t events = 0;
  size_t labels = 0;
  int64_t start_ns = 0;  // Whole microseconds.
  int64_t end_ns = 0;

  // How far reading has come.
  bool done = false;  // All that was there has been read.
  uint64_t bytes_read = 0;
  uint64_t bytes_known = 0;
  std::vector<std::string> problems;

  // Times as pages tell them: microseconds since the start.
  double Us(int64_t time_ns) const { return static_cast<double>(time_ns - start_ns) / 1e3; }
};

// Times that windows may have; such that the length of one fits into 63 bits.
inline constexpr int64_t kFirstNs = -2'000'000'000'000'000'000;
inline constexpr int64_t kLastNs = 7'000'000'000'000'000'000;

// A part of the time of a timeline, from kFirstNs to kLastNs, not empty.
struct TimeWindow {
  int64_t from_ns = 0;
  int64_t to_ns = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_SNAPSHOT_H_
