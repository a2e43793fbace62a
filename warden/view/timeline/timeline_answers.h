#ifndef WARDEN_VIEW_TIMELINE_TIMELINE_ANSWERS_H_
#define WARDEN_VIEW_TIMELINE_TIMELINE_ANSWERS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/view/timeline/run_timeline.h"
#include "warden/view/timeline/slices.h"
#include "warden/view/timeline/snapshot.h"

namespace warden::view {

// What pages are told of a timeline; docs/reference/dashboard_api.md describes each.

Json TimelineJson(const TimelineSnapshot& snapshot);
std::string SlicesColumns(const TimelineSnapshot& snapshot, const SlicesQuery& query);
// REQUIRES: id < snapshot.events.
Json EventJson(const RunTimeline& timeline, const TimelineSnapshot& snapshot, EventId id);
// Connections between these tracks; all if there are none.
std::string ArrowsColumns(const TimelineSnapshot& snapshot, const TimeWindow& window,
                          const std::vector<TrackId>& tracks, size_t most);
Json SearchJson(const TimelineSnapshot& snapshot, std::string_view text, size_t most);
Json StatisticsJson(const TimelineSnapshot& snapshot, const TimeWindow& window,
                    const std::vector<TrackId>& tracks, size_t most);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_TIMELINE_ANSWERS_H_
