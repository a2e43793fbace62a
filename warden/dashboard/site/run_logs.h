#ifndef WARDEN_DASHBOARD_SITE_RUN_LOGS_H_
#define WARDEN_DASHBOARD_SITE_RUN_LOGS_H_

#include <string>

#include "warden/dashboard/core/run_endpoints.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// Answers GET /-/api/runs/ID/logs: what the training printed, on a host of a job or as a run of
// `warden run`, whose only host is "local". "host" is the first one by default. Without "after"
// these are the last 500 lines; with it, up to 500 lines from there on, where "after" is the "next"
// of an earlier answer. 400 for an unknown host or a bad position. Safe for many threads.
http::Response RunLogs(const service::ServiceOptions& options, const RunRequest& request);

// The last traceback that a run of `warden run` printed, or its last lines; at most 60 lines. Empty
// if nothing was kept. run: the folder of tensors.
std::string FailureOutput(const std::string& run);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_LOGS_H_
