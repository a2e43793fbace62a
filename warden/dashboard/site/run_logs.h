#ifndef WARDEN_DASHBOARD_SITE_RUN_LOGS_H_
#define WARDEN_DASHBOARD_SITE_RUN_LOGS_H_

#include <string>

#include "warden/dashboard/core/run_endpoints.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// Answers GET /-/api/runs/ID/logs: what the training printed, on a host of a job or as a run of
// `warden run`, whose only host is "local". "host" is the first one by default. These are the last
// 500 lines, or as many
//   after=   from there on: the "next" of an answer, or where a line is;
//   before=  before that: the "previous" of an answer, or where a line is;
//   at=      around the first line at or after a moment, half of them before it.
// "q" and "level" leave out the lines that do not match. One request searches about 16 MB of the
// log and says whether there may be more. 400 for an unknown host or level, a bad position or time,
// and two of the three. Safe for many threads.
http::Response RunLogs(const service::ServiceOptions& options, const RunRequest& request);

// The last traceback that a run of `warden run` printed, or its last lines; at most 60 lines. Empty
// if nothing was kept. run: the folder of tensors.
std::string FailureOutput(const std::string& run);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_LOGS_H_
