#include "warden/cli/serve/job_findings.h"

#include <utility>

#include "warden/cli/serve/job_text.h"

namespace warden::cli {

JobFindings FindingsIn(const Json& detail) {
  JobFindings findings;
  for (const Json& rule : ListIn(detail, "rules_seen")) {
    auto report = rules::RuleReportFromJson(rule);
    if (!report.ok()) continue;
    report.value().doc = TextIn(rule, "doc");
    findings.rules.push_back(std::move(report).value());
  }
  findings.incidents = ListIn(detail, "incidents");
  return findings;
}

Result<JobFindings> FindingsOf(const std::string& job, ServiceCall* service) {
  const auto detail = service->Page(job);
  if (!detail.ok()) return detail.status();
  return FindingsIn(detail.value());
}

}  // namespace warden::cli
