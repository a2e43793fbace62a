#ifndef WARDEN_SERVICE_DASHBOARD_SITE_RUN_LOGS_H_
#define WARDEN_SERVICE_DASHBOARD_SITE_RUN_LOGS_H_

#include "warden/service/dashboard/core/part.h"
#include "warden/service/options.h"

namespace warden::service {

// Answers GET /-/api/runs/ID/logs: what the programs of a job's hosts have printed.
Response RunLogs(const ServiceOptions& options, const RunRequest& request);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_DASHBOARD_SITE_RUN_LOGS_H_
