#ifndef WARDEN_VIEW_TIMELINE_SEARCH_H_
#define WARDEN_VIEW_TIMELINE_SEARCH_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "warden/view/timeline/snapshot.h"

namespace warden::view {

struct SearchResult {
  size_t total = 0;
  std::vector<EventId> hits;  // The first ones, by their starts.
};

// Events with the text anywhere in their names; small and capital letters of ASCII are alike.
SearchResult Search(const TimelineSnapshot& snapshot, std::string_view text, size_t most);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_SEARCH_H_
