#ifndef WARDEN_DASHBOARD_SITE_RUN_JSON_H_
#define WARDEN_DASHBOARD_SITE_RUN_JSON_H_

// Runs as JSON, for the list, the page of one run, and the events about both.

#include "warden/base/json_fwd.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// RunSummary as docs/reference/dashboard_api.md has it, as it is now: reads the records of all
// rules, which takes milliseconds. run is not owned; no function here fails. Safe for many threads.
Json SummaryOf(const service::ServiceOptions& options, OpenRun* run);
// The same as text, of a run that nobody has read yet, with "pending": true. Reads nothing.
std::string UnreadSummaryOf(const RunPlaces& places);
// RunDetail, always as it is now. Reads the file system: index folders, records of rules, the run's
// record.
Json DetailOf(const service::ServiceOptions& options, OpenRun* run);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_JSON_H_
