#ifndef WARDEN_DASHBOARD_SITE_RUN_JSON_H_
#define WARDEN_DASHBOARD_SITE_RUN_JSON_H_

#include "warden/base/json_fwd.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// RunSummary and RunDetail as docs/reference/dashboard_api.md has them.
Json SummaryOf(const service::ServiceOptions& options, OpenRun* run);
Json DetailOf(const service::ServiceOptions& options, OpenRun* run);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_JSON_H_
