#ifndef WARDEN_VIEW_TIMELINE_EVENT_STORE_H_
#define WARDEN_VIEW_TIMELINE_EVENT_STORE_H_

// All events of a timeline in columns of 18 bytes per event. TimelineBuilder fills it; snapshots
// share it; slices, search and statistics read it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "warden/timeline/names.h"
#include "warden/view/timeline/chunked.h"

namespace warden::view {

// An event by its number: in the order in which they were read.
using EventId = uint32_t;
// A name together with its category.
using LabelId = uint32_t;
// A track by its number: in the order in which they were made (see Tracks).
using TrackId = uint16_t;

// A duration in 32 bits: exact up to a second, in whole microseconds up to 17 minutes, whole
// milliseconds up to 12 days, then in seconds. Rounded down, so that packing never makes events
// overlap; negative becomes 0. About 34 years fit; longer ones are cut to that.
uint32_t PackDuration(int64_t nanoseconds);

// The upper two bits choose the unit, the others count it.
inline constexpr int kDurationBits = 30;
inline constexpr std::array<int64_t, 4> kDurationUnits = {1, 1'000, 1'000'000, 1'000'000'000};
// The reverse, in nanoseconds.
inline int64_t UnpackDuration(uint32_t packed) {
  constexpr uint32_t kCount = (uint32_t{1} << kDurationBits) - 1;
  return (packed & kCount) * kDurationUnits[packed >> kDurationBits];
}

// One event, as it is added. Times are in nanoseconds since 1970.
struct EventRow {
  int64_t start_ns = 0;
  int64_t duration_ns = 0;
  LabelId label = 0;
  TrackId track = 0;
};

// How PyTorch's profiler names steps: "ProfilerStep#12".
inline constexpr std::string_view kTorchStep = "ProfilerStep#";
inline bool IsTorchStep(std::string_view name) { return name.starts_with(kTorchStep); }

// A step of the training: its event, and its number as the trace has it.
struct StepEvent {
  EventId id = 0;
  int64_t step = 0;
};

// All events of a timeline, 18 bytes each. One thread adds; others read those that existed in a
// snapshot that they got, without a lock (see Chunked). Events are never changed or removed. 8
// bytes for the start, 4 for the duration, 4 for the label, 2 for the track.
class EventStore {
 public:
  // Further events are not shown: a page would take more of a server than it is worth.
  static constexpr size_t kMost = 20'000'000;
  static_assert(kMost <= Chunked<int64_t>::kMost);

  // The texts of a label.
  struct Label {
    const std::string* name = nullptr;  // Both live as long as the store.
    const std::string* category = nullptr;
  };

  // names: of the ids in LabelOf; not owned, outlives this.
  explicit EventStore(const timeline::Names& names) : names_(names) {}

  // For the thread that adds. REQUIRES: size() < kMost. Numbers go up by one, in the order of
  // calls.
  EventId Add(const EventRow& row);
  // The label of a name and a category, added if it is new. For the thread that adds.
  LabelId LabelOf(timeline::NameId name, timeline::NameId category);
  // Notes that an event is a whole step of the training. For the thread that adds. REQUIRES:
  // steps() < kMost.
  void AddStep(const StepEvent& step) { steps_.Add(step); }
  // For the thread that adds; readers use TimelineSnapshot::events, labels and steps.
  size_t size() const { return starts_.size(); }
  size_t labels() const { return labels_.size(); }
  size_t steps() const { return steps_.size(); }

  // Columns of one event: nanoseconds since 1970, and nanoseconds. REQUIRES: the event is in a
  // snapshot that the caller has, or the caller is the thread that adds.
  int64_t start(EventId id) const { return starts_[id]; }
  int64_t duration(EventId id) const { return UnpackDuration(durations_[id]); }
  int64_t end(EventId id) const { return start(id) + duration(id); }
  uint32_t packed_duration(EventId id) const { return durations_[id]; }
  LabelId label(EventId id) const { return event_labels_[id]; }
  TrackId track(EventId id) const { return tracks_[id]; }
  const Label& Text(LabelId label) const { return labels_[label]; }
  const std::string& name(EventId id) const { return *labels_[label(id)].name; }
  // The i-th step that was noted; in the order of files, not of times.
  const StepEvent& step(size_t i) const { return steps_[i]; }

 private:
  const timeline::Names& names_;
  Chunked<int64_t> starts_;
  Chunked<uint32_t> durations_;  // Packed.
  Chunked<LabelId> event_labels_;
  Chunked<TrackId> tracks_;
  Chunked<Label> labels_;
  Chunked<StepEvent> steps_;
  std::unordered_map<uint64_t, LabelId> label_ids_;  // For the thread that adds.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_EVENT_STORE_H_
