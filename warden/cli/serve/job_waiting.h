#ifndef WARDEN_CLI_SERVE_JOB_WAITING_H_
#define WARDEN_CLI_SERVE_JOB_WAITING_H_

#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/cli/output.h"
#include "warden/cli/serve/service_call.h"

namespace warden::cli {

// Waits until the job has ended, with rules_too also its rules, and returns its last description.
// Shows what it is waiting for. Asks twice a second.
//
// Tolerates that the service does not answer for a minute (a restart), but not at the first call.
// Ctrl-C stops waiting with kUnavailable; the job continues. Other errors are those of
// ServiceCall::Describe. Installs handlers for the signals (CatchInterrupts). For `warden jobs
// wait` and the --wait of other commands.
Result<Json> WaitForJob(const std::string& job, bool rules_too, ServiceCall* service, Output* out);

}  // namespace warden::cli

#endif  // WARDEN_CLI_SERVE_JOB_WAITING_H_
