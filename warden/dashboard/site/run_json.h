#ifndef WARDEN_DASHBOARD_SITE_RUN_JSON_H_
#define WARDEN_DASHBOARD_SITE_RUN_JSON_H_

// Runs as JSON, for the list, the page of one run, and the events about both.

#include "warden/base/json_fwd.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/dashboard/site/summary_memo.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// RunSummary as docs/reference/dashboard_api.md has it. For lists of thousands: that of a run that
// has ended is remembered (summary_memo.h) and may be up to a minute old. run is not owned; neither
// function fails. Safe for many threads.
Json SummaryOf(const service::ServiceOptions& options, OpenRun* run);
// The same as text, for all runs: from `texts` where it is known.
std::string SummaryTextOf(const service::ServiceOptions& options, OpenRun* run,
                          SummaryTexts* texts);
// RunDetail, always as it is now. Reads the file system: index folders, records of rules, the run's
// record.
Json DetailOf(const service::ServiceOptions& options, OpenRun* run);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_JSON_H_
