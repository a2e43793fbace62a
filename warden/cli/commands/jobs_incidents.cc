#include <utility>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/rules/summary_text.h"
#include "warden/cli/serve/job_findings.h"
#include "warden/cli/serve/service_call.h"

namespace warden::cli {
namespace {

struct JobsIncidentsOptions {
  client::EndpointFlags service;
  std::string job;
  bool verbose = false;
  bool json = false;
};

Json ToJson(const std::string& job, const JobFindings& findings) {
  Json rules = Json::array();
  for (const rules::RuleReport& report : findings.rules) rules.push_back(rules::ToJson(report));
  return {{"job", job}, {"incidents", findings.incidents}, {"rules", std::move(rules)}};
}

Result<int> ShowIncidents(const JobsIncidentsOptions& options, Output* out) {
  auto service = ServiceCall::Open(options.service, out);
  if (!service.ok()) return service.status();
  const auto job = service.value().Describe(options.job);
  if (!job.ok()) return job.status();
  const auto findings = FindingsOf(options.job, &service.value());
  if (!findings.ok()) return findings.status();
  if (options.json) {
    out->PrintJson(ToJson(options.job, findings.value()));
  } else {
    SummaryOptions summary;
    summary.verbose = options.verbose;
    // Each rule of a job was asked for.
    for (const rules::RuleReport& report : findings.value().rules) {
      summary.named.insert(report.name);
    }
    PrintSummary(findings.value().rules, summary, out);
  }
  return findings.value().incidents.empty() ? kDone : kIssuesFound;
}

void DefineJobsIncidents(Command* command) {
  auto options = std::make_shared<JobsIncidentsOptions>();
  command->Positional("JOB", &options->job, "Name of the job");
  command->Switch("-v,--verbose", &options->verbose, "Show every finding");
  command->Json(&options->json);
  DefineServiceFlags(command, &options->service);
  command->Footer(
      "Findings of all rules that have one cause are one incident.\n"
      "Exit code: 3 problems found, 0 none so far.\n\n"
      "Examples:\n"
      "  warden jobs incidents demo\n"
      "  warden jobs incidents demo --json");
  command->Runs(options, ShowIncidents);
}

}  // namespace

CommandEntry JobsIncidents() {
  return {"incidents", "Show what is wrong with a job, worst first", DefineJobsIncidents};
}

}  // namespace warden::cli
