#ifndef WARDEN_DASHBOARD_SITE_RUN_LOGS_H_
#define WARDEN_DASHBOARD_SITE_RUN_LOGS_H_

#include "warden/dashboard/core/part.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// Answers GET /-/api/runs/ID/logs: what the programs of a job's hosts have printed.
http::Response RunLogs(const service::ServiceOptions& options, const RunRequest& request);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_LOGS_H_
