#include "warden/view/timeline/event_store.h"

namespace warden::view {

uint32_t PackDuration(int64_t nanoseconds) {
  if (nanoseconds < 0) return 0;
  for (uint32_t unit = 0; unit < kDurationUnits.size(); ++unit) {
    const int64_t count = nanoseconds / kDurationUnits[unit];
    if (count >> kDurationBits == 0) return unit << kDurationBits | static_cast<uint32_t>(count);
  }
  return UINT32_MAX;
}

EventId EventStore::Add(const EventRow& row) {
  const auto id = static_cast<EventId>(starts_.size());
  starts_.Add(row.start_ns);
  durations_.Add(PackDuration(row.duration_ns));
  event_labels_.Add(row.label);
  tracks_.Add(row.track);
  return id;
}

LabelId EventStore::LabelOf(timeline::NameId name, timeline::NameId category) {
  const uint64_t key = uint64_t{name} << 32 | category;
  const auto [found, made] = label_ids_.try_emplace(key, static_cast<LabelId>(labels_.size()));
  if (made) labels_.Add({&names_.Text(name), &names_.Text(category)});
  return found->second;
}

}  // namespace warden::view
