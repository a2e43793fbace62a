#ifndef WARDEN_VIEW_TIMELINE_TRACK_INDEX_H_
#define WARDEN_VIEW_TIMELINE_TRACK_INDEX_H_

// The events of a track in rows that can be drawn at any zoom in time that depends on the pixels,
// not on the events. Part of TimelineSnapshot; slices.cc and statistics.cc read it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "warden/view/timeline/event_store.h"

namespace warden::view {

// One row of a track: events that come after each other, by their starts. Over them lie blocks of
// 16, of 256, ... of them, which say from when to when they are, how long the longest is and what
// most of their time was spent on. Does not change once it is made: safe for many threads. `store`
// is the same in all calls, and is not kept.
class Row {
 public:
  // Events of a block, or blocks of the next level.
  static constexpr size_t kFanOut = 16;

  // events: ascending by start.
  Row(const EventStore& store, std::vector<EventId> events);

  size_t size() const { return events_.size(); }
  EventId operator[](size_t i) const { return events_[i]; }
  std::span<const EventId> events() const { return events_; }

  // When event i begins, in nanoseconds since 1970; where blocks have it, without a look at the
  // event.
  int64_t StartOf(const EventStore& store, size_t i) const {
    if (i % kFanOut == 0 && !levels_.empty()) return levels_.front()[i / kFanOut].start_ns;
    return store.start(events_[i]);
  }
  // The first event at or after position `from` that begins at that time or later; size() if there
  // is none.
  size_t FirstFrom(const EventStore& store, size_t from, int64_t time_ns) const;
  // The first event that has not ended by that time, as far as they do not overlap; size() if none.
  size_t FirstAt(const EventStore& store, int64_t time_ns) const;
  // Many short events at once, to draw them as one: if the events from `from` up to about time_ns,
  // or a little later but before latest_ns, fill several blocks and are each shorter than pixel_ns,
  // returns true; *to is then the first after them and *end_ns when they end. Otherwise both are
  // unchanged.
  bool ShortEvents(size_t from, int64_t time_ns, int64_t latest_ns, int64_t pixel_ns, size_t* to,
                   int64_t* end_ns) const;
  // The label that most of the time of the events [from, to) went to; of many events, about.
  // REQUIRES: from < to <= size().
  LabelId Dominant(const EventStore& store, size_t from, size_t to) const;

 private:
  struct Block {
    int64_t start_ns = 0;
    int64_t end_ns = 0;
    uint32_t longest = 0;  // Packed.
    LabelId label = 0;
    float covered_ns = 0;  // By that label.
  };
  Block BlockOf(const EventStore& store, size_t begin, size_t end) const;
  Block BlockOf(const std::vector<Block>& blocks, size_t begin, size_t end) const;
  // The first block after that one that begins at that time or later.
  size_t NextBlock(size_t block, int64_t time_ns) const;
  void AddLevel(const EventStore& store);

  std::vector<EventId> events_;
  std::vector<std::vector<Block>> levels_;
};

// The events of a track by rows, such that those of a row do not overlap and what lies within
// another stands below it. Does not change once it is made: safe for many threads.
class TrackIndex {
 public:
  // What overlaps beyond that is put into the last row, where events do overlap.
  static constexpr size_t kMostRows = 64;

  // ids: in any order. Sorts them: O(n log n).
  TrackIndex(const EventStore& store, std::span<const EventId> ids);

  const std::vector<Row>& rows() const { return rows_; }
  size_t size() const { return size_; }
  // All events, row by row.
  std::vector<EventId> Ids() const;

  // Where an event is: its row and its position in it. REQUIRES: it is of this track.
  std::pair<size_t, size_t> PlaceOf(const EventStore& store, EventId id) const;
  // The time of an event without that of the events within it in the row below, in nanoseconds;
  // never negative. row: of PlaceOf.
  int64_t SelfTime(const EventStore& store, size_t row, EventId id) const;

 private:
  std::vector<Row> rows_;
  size_t size_ = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_TRACK_INDEX_H_
