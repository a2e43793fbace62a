#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/serve/job_text.h"
#include "warden/cli/serve/job_waiting.h"
#include "warden/cli/serve/service_call.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

struct JobsWaitOptions {
  client::EndpointFlags service;
  std::string job;
  bool rules = false;
  bool json = false;
};

Result<int> Wait(const JobsWaitOptions& options, Output* out) {
  auto service = ServiceCall::Open(options.service, out);
  if (!service.ok()) return service.status();
  const auto job = WaitForJob(options.job, options.rules, &service.value(), out);
  if (!job.ok()) return job.status();
  const std::string status = TextIn(job.value(), "TrainingJobStatus");
  if (options.json) {
    out->PrintJson(job.value());
  } else {
    out->Print("{}\n", Styled(Printable(status), StatusCell(status).style, out->terminal()));
  }
  if (status == "Failed") {
    out->Tell(Printable(TextIn(job.value(), "FailureReason")));
    return kFailed;
  }
  return options.rules && AnyIssues(RulesIn(job.value())) ? kIssuesFound : kDone;
}

void DefineJobsWait(Command* command) {
  auto options = std::make_shared<JobsWaitOptions>();
  command->Positional("JOB", &options->job, "Name of the job");
  command->Switch("--rules", &options->rules, "Also wait for the rules");
  command->Json(&options->json);
  DefineServiceFlags(command, &options->service);
  command->Footer(
      "Exit code: 0 completed or stopped, 1 failed, 3 a rule found problems (with --rules).\n"
      "Ctrl-C stops waiting; the job continues.\n\n"
      "Example:\n"
      "  warden jobs wait demo --rules");
  command->Runs(options, Wait);
}

}  // namespace

CommandEntry JobsWait() { return {"wait", "Wait until a job ends", DefineJobsWait}; }

}  // namespace warden::cli
