#ifndef WARDEN_VIEW_TIMELINE_TIMELINE_ANSWERS_H_
#define WARDEN_VIEW_TIMELINE_TIMELINE_ANSWERS_H_

// The dashboard's answers about a timeline; docs/reference/dashboard_api.md describes each.
// Functions that return Json are for JSON answers, the others return the bytes of Columns. All are
// safe for many threads. Long names are cut. Times are in microseconds since the start of the
// timeline.

#include <cstddef>
#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/view/timeline/run_timeline.h"
#include "warden/view/timeline/slices.h"
#include "warden/view/timeline/snapshot.h"
#include "warden/view/timeline/span_filter.h"

namespace warden::view {

// Tracks, range of time, progress and problems.
Json TimelineJson(const TimelineSnapshot& snapshot);
// What to draw: SlicesOf, with the names of its labels in the header.
std::string SlicesColumns(const TimelineSnapshot& snapshot, const SlicesQuery& query);
// One event with its arguments, step and connections. Reads a file. REQUIRES: id < snapshot.events,
// and the snapshot is of the timeline.
Json EventJson(const RunTimeline& timeline, const TimelineSnapshot& snapshot, EventId id);
// Connections between these tracks, all if there are none; at most `most`, evenly over the window.
std::string ArrowsColumns(const TimelineSnapshot& snapshot, const SpanWindow& window,
                          const std::vector<TrackId>& tracks, size_t most);
// Search(), with the events that were found.
Json SearchJson(const TimelineSnapshot& snapshot, const SpanFilter& filter, size_t most);
// TimesByName(), the first `most` rows, with means.
Json StatisticsJson(const TimelineSnapshot& snapshot, const SpanWindow& window,
                    const std::vector<TrackId>& tracks, size_t most);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_TIMELINE_ANSWERS_H_
