#ifndef WARDEN_CLI_SERVE_JOB_WAITING_H_
#define WARDEN_CLI_SERVE_JOB_WAITING_H_

#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/cli/output.h"
#include "warden/cli/serve/service_call.h"

namespace warden::cli {

// Waits until the job has ended, with rules_too also its rules, and returns its last description.
// Shows what it is waiting for. Tolerates a short restart of the service. Ctrl-C stops waiting with
// kUnavailable; the job continues.
Result<Json> WaitForJob(const std::string& job, bool rules_too, ServiceCall* service, Output* out);

}  // namespace warden::cli

#endif  // WARDEN_CLI_SERVE_JOB_WAITING_H_
