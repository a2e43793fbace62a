#ifndef WARDEN_VIEW_TIMELINE_SEARCH_H_
#define WARDEN_VIEW_TIMELINE_SEARCH_H_

// Search for events, for the field above the dashboard's timeline.

#include <cstdint>
#include <vector>

#include "warden/view/timeline/snapshot.h"
#include "warden/view/timeline/span_filter.h"

namespace warden::view {

// Events that were found.
struct SearchResult {
  size_t total = 0;           // Of all, also beyond `hits`.
  std::vector<EventId> hits;  // The first ones, by their starts.
};

// Events that match; the first `most` by start. Looks at every event: tens of milliseconds for
// millions. Safe for many threads.
SearchResult Search(const TimelineSnapshot& snapshot, const SpanFilter& filter, size_t most);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_SEARCH_H_
