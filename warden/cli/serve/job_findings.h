#ifndef WARDEN_CLI_SERVE_JOB_FINDINGS_H_
#define WARDEN_CLI_SERVE_JOB_FINDINGS_H_

// What the rules of a job have found, as its page in the dashboard has it.

#include <string>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/status.h"
#include "warden/cli/serve/service_call.h"
#include "warden/rules/engine/report.h"

namespace warden::cli {

struct JobFindings {
  std::vector<rules::RuleReport> rules;  // At most 200 findings each. All of them were asked for.
  Json incidents;                        // A list, worst first, as in `warden eval --json`.
};

// From an answer of the service (RunDetail in docs/reference/dashboard_api.md), which is untrusted:
// rules and findings that cannot be read are left out.
JobFindings FindingsIn(const Json& detail);
// Asks the service. Errors are those of ServiceCall::Page.
Result<JobFindings> FindingsOf(const std::string& job, ServiceCall* service);

}  // namespace warden::cli

#endif  // WARDEN_CLI_SERVE_JOB_FINDINGS_H_
