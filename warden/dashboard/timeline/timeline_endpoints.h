#ifndef WARDEN_DASHBOARD_TIMELINE_TIMELINE_ENDPOINTS_H_
#define WARDEN_DASHBOARD_TIMELINE_TIMELINE_ENDPOINTS_H_

#include "warden/dashboard/core/run_endpoints.h"

namespace warden::dashboard {

// The timeline of a run: what its processes and GPUs did when. Endpoints: timeline and, below it,
// slices, event, arrows, search, statistics, flame, path, waits and trace.json.gz; the event
// "timeline" reports how many events were read. Times in requests are microseconds since the
// timeline's start. 404 for a run without a profiler folder. Events are read in the background by
// one view::RunTimeline per run.
RunEndpoints TimelineEndpoints();

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_TIMELINE_TIMELINE_ENDPOINTS_H_
