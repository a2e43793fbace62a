#ifndef WARDEN_SERVICE_DASHBOARD_SITE_RUN_JSON_H_
#define WARDEN_SERVICE_DASHBOARD_SITE_RUN_JSON_H_

#include "warden/base/json_fwd.h"
#include "warden/service/dashboard/core/open_run.h"
#include "warden/service/options.h"

namespace warden::service {

// RunSummary and RunDetail as docs/reference/dashboard_api.md has them.
Json SummaryOf(const ServiceOptions& options, OpenRun* run);
Json DetailOf(const ServiceOptions& options, OpenRun* run);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_SITE_RUN_JSON_H_
