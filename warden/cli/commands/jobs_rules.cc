#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/serve/job_text.h"
#include "warden/cli/serve/service_call.h"

namespace warden::cli {
namespace {

struct JobsRulesOptions {
  client::EndpointFlags service;
  std::string job;
  bool json = false;
};

Json ToJson(const std::vector<RuleRow>& rules) {
  Json list = Json::array();
  for (const RuleRow& rule : rules) {
    list.push_back({{"rule", rule.name},
                    {"status", rule.status},
                    {"details", rule.details},
                    {"processing_job", rule.job_name.empty() ? Json() : Json(rule.job_name)}});
  }
  return list;
}

Result<int> ShowRules(const JobsRulesOptions& options, Output* out) {
  auto service = ServiceCall::Open(options.service, out);
  if (!service.ok()) return service.status();
  const auto job = service.value().Describe(options.job);
  if (!job.ok()) return job.status();
  const std::vector<RuleRow> rules = RulesIn(job.value());
  if (options.json) {
    out->PrintJson(ToJson(rules));
  } else if (!rules.empty()) {
    PrintRules(rules, out);
  }
  return AnyIssues(rules) ? kIssuesFound : kDone;
}

void DefineJobsRules(Command* command) {
  auto options = std::make_shared<JobsRulesOptions>();
  command->Positional("JOB", &options->job, "Name of the job");
  command->Json(&options->json);
  DefineServiceFlags(command, &options->service);
  command->Footer(
      "Exit code: 3 problems found, 0 none so far.\n\n"
      "Example:\n"
      "  warden jobs rules demo");
  command->Runs(options, ShowRules);
}

}  // namespace

CommandEntry JobsRules() {
  return {"rules", "Show the rules of a job and what they found", DefineJobsRules};
}

}  // namespace warden::cli
