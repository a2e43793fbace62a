#ifndef WARDEN_VIEW_TIMELINE_SEARCH_H_
#define WARDEN_VIEW_TIMELINE_SEARCH_H_

// Search for events by name, for the box above the dashboard's timeline.

#include <cstdint>
#include <string_view>
#include <vector>

#include "warden/view/timeline/snapshot.h"

namespace warden::view {

// Events that were found.
struct SearchResult {
  size_t total = 0;           // Of all, also beyond `hits`.
  std::vector<EventId> hits;  // The first ones, by their starts.
};

// Events with the text anywhere in their names, without regard to the case of ASCII letters; the
// first `most` by start. Looks at every event: tens of milliseconds for millions. Safe for many
// threads.
SearchResult Search(const TimelineSnapshot& snapshot, std::string_view text, size_t most);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_SEARCH_H_
