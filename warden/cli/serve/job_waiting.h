#ifndef WARDEN_CLI_SERVE_JOB_WAITING_H_
#define WARDEN_CLI_SERVE_JOB_WAITING_H_

#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/cli/output.h"
#include "warden/cli/serve/service_call.h"

namespace warden::cli {

// Until the job is over, and its rules too if they are asked for: its last description. Shows what
// it is waiting for. A service that is started again meanwhile is waited for a while; Ctrl-C ends
// the waiting with kUnavailable, not the job.
Result<Json> WaitForJob(const std::string& job, bool rules_too, ServiceCall* service, Output* out);

}  // namespace warden::cli

#endif  // WARDEN_CLI_SERVE_JOB_WAITING_H_
