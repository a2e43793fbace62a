#ifndef WARDEN_DASHBOARD_SITE_RUN_LOGS_H_
#define WARDEN_DASHBOARD_SITE_RUN_LOGS_H_

#include "warden/dashboard/core/run_endpoints.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// Answers GET /-/api/runs/ID/logs: what the training printed on a host of a job. "host" is the
// first one by default. Without "after" these are the last 500 lines; with it, up to 500 lines from
// there on, where "after" is the "next" of an earlier answer. 404 for a run that is not a job, 400
// for an unknown host or a bad position. Safe for many threads.
http::Response RunLogs(const service::ServiceOptions& options, const RunRequest& request);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_LOGS_H_
