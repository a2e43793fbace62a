#include <algorithm>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/rules/summary_text.h"
#include "warden/cli/serve/job_findings.h"
#include "warden/cli/serve/job_text.h"
#include "warden/cli/serve/service_call.h"
#include "warden/cli/table.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

struct JobsShowOptions {
  client::EndpointFlags service;
  std::string job;
  bool verbose = false;
  bool json = false;
};

void PrintLine(std::string_view name, const std::string& value, Output* out) {
  if (!value.empty()) out->Print("{:<12} {}\n", name, Printable(value));
}

void PrintTransitions(const Json& job, Output* out) {
  Table table({{"STEP"}, {"SINCE"}, {"TOOK", Align::kRight}, {"MESSAGE", Align::kLeft, true}});
  for (const Json& step : ListIn(job, "SecondaryStatusTransitions")) {
    table.Add({StatusCell(TextIn(step, "Status")), TimeText(NumberIn(step, "StartTime")),
               SpanText(NumberIn(step, "StartTime"), NumberIn(step, "EndTime")),
               TextIn(step, "StatusMessage")});
  }
  if (table.empty()) return;
  out->Write("\n");
  table.Print(out);
}

bool HasFindings(const JobFindings& findings) {
  return std::any_of(findings.rules.begin(), findings.rules.end(),
                     [](const rules::RuleReport& rule) { return !rule.findings.empty(); });
}

void PrintJob(const Json& job, const JobFindings& findings, bool verbose, Output* out) {
  const std::string status = TextIn(job, "TrainingJobStatus");
  out->Print("{}  {}\n",
             Styled(Printable(TextIn(job, "TrainingJobName")), Style::kBold, out->terminal()),
             Styled(Printable(status), StatusCell(status).style, out->terminal()));
  PrintLine("arn", TextIn(job, "TrainingJobArn"), out);
  PrintLine("created", TimeText(NumberIn(job, "CreationTime")), out);
  PrintLine("trained for",
            SpanText(NumberIn(job, "TrainingStartTime"), NumberIn(job, "TrainingEndTime")), out);
  PrintLine("failure", TextIn(job, "FailureReason"), out);
  const Json& algorithm = ObjectIn(job, "AlgorithmSpecification");
  PrintLine("image", TextIn(algorithm, "TrainingImage"), out);
  PrintLine("profiling", TextIn(job, "ProfilingStatus"), out);
  const Json& remote = ObjectIn(job, "RemoteDebugConfig");
  const bool debugged = remote.contains("EnableRemoteDebug") && remote["EnableRemoteDebug"] == true;
  if (debugged) PrintLine("shells", "allowed (remote debugging on)", out);
  PrintLine("model", TextIn(ObjectIn(job, "ModelArtifacts"), "S3ModelArtifacts"), out);
  PrintLine("tensors", JobOutputOf(job, "DebugHookConfig", "debug-output"), out);
  PrintLine("profile", JobOutputOf(job, "ProfilerConfig", "profiler-output"), out);
  PrintTransitions(job, out);
  if (HasFindings(findings)) {
    out->Write("\n");
    PrintIncidents(findings.rules, verbose, out);
  }
  if (const auto rules = RulesIn(job); !rules.empty()) {
    out->Write("\n");
    PrintRules(rules, out);
  }
}

Result<int> ShowJob(const JobsShowOptions& options, Output* out) {
  auto service = ServiceCall::Open(options.service, out);
  if (!service.ok()) return service.status();
  const auto job = service.value().Describe(options.job);
  if (!job.ok()) return job.status();
  if (options.json) {
    out->PrintJson(job.value());
    return kDone;
  }
  const auto findings = FindingsOf(options.job, &service.value());
  if (!findings.ok()) return findings.status();
  PrintJob(job.value(), findings.value(), options.verbose, out);
  return kDone;
}

void DefineJobsShow(Command* command) {
  auto options = std::make_shared<JobsShowOptions>();
  command->Positional("JOB", &options->job, "Name of the job");
  command->Switch("-v,--verbose", &options->verbose, "Show every finding");
  command->Json(&options->json);
  DefineServiceFlags(command, &options->service);
  command->Footer(
      "--json prints the response of DescribeTrainingJob; for incidents see 'warden jobs "
      "incidents'.\n\n"
      "Example:\n"
      "  warden jobs show demo");
  command->Runs(options, ShowJob);
}

}  // namespace

CommandEntry JobsShow() { return {"show", "Show the details of a job", DefineJobsShow}; }

}  // namespace warden::cli
