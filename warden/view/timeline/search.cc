#include "warden/view/timeline/search.h"

#include <algorithm>
#include <utility>

namespace warden::view {

SearchResult Search(const TimelineSnapshot& snapshot, const SpanFilter& filter, size_t most) {
  const EventStore& store = *snapshot.store;
  std::vector<uint8_t> tracks(snapshot.tracks.size());
  for (size_t i = 0; i < tracks.size(); ++i) {
    tracks[i] = filter.MatchesTrack(snapshot.tracks[i].name) ? 1 : 0;
  }
  std::vector<uint8_t> wanted(snapshot.labels);
  bool any = false;
  for (LabelId label = 0; label < snapshot.labels; ++label) {
    wanted[label] = filter.MatchesName(*store.Text(label).name) ? 1 : 0;
    any |= wanted[label] != 0;
  }
  SearchResult result;
  if (!any) return result;
  // A heap of the earliest, the latest of them on top.
  std::vector<std::pair<int64_t, EventId>> first;
  for (EventId id = 0; id < snapshot.events; ++id) {
    const TrackId track = store.track(id);
    if (!wanted[store.label(id)] || track >= tracks.size() || !tracks[track]) continue;
    if (!filter.MatchesDuration(store.duration(id))) continue;
    ++result.total;
    const std::pair<int64_t, EventId> hit(store.start(id), id);
    if (first.size() < most) {
      first.push_back(hit);
      std::push_heap(first.begin(), first.end());
    } else if (most > 0 && hit < first.front()) {
      std::pop_heap(first.begin(), first.end());
      first.back() = hit;
      std::push_heap(first.begin(), first.end());
    }
  }
  std::sort_heap(first.begin(), first.end());
  for (const auto& [start, id] : first) result.hits.push_back(id);
  return result;
}

}  // namespace warden::view
