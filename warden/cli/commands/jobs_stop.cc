#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/serve/job_text.h"
#include "warden/cli/serve/job_waiting.h"
#include "warden/cli/serve/service_call.h"
#include "warden/cli/text.h"

namespace warden::cli {
namespace {

struct JobsStopOptions {
  client::EndpointFlags service;
  std::string job;
  bool wait = false;
  bool json = false;
};

Result<int> StopJob(const JobsStopOptions& options, Output* out) {
  auto service = ServiceCall::Open(options.service, out);
  if (!service.ok()) return service.status();
  const auto answer = service.value().Call("StopTrainingJob", {{"TrainingJobName", options.job}});
  if (!answer.ok()) return answer.status();
  const auto job = options.wait
                       ? WaitForJob(options.job, /*rules_too=*/false, &service.value(), out)
                       : service.value().Describe(options.job);
  if (!job.ok()) return job.status();
  if (options.json) {
    out->PrintJson(job.value());
  } else {
    out->Print("{}\n", Printable(TextIn(job.value(), "TrainingJobStatus")));
  }
  return kDone;
}

void DefineJobsStop(Command* command) {
  auto options = std::make_shared<JobsStopOptions>();
  command->Positional("JOB", &options->job, "Name of the job");
  command->Switch("--wait", &options->wait,
                  "Wait until the job has stopped and its output is uploaded");
  command->Json(&options->json);
  DefineServiceFlags(command, &options->service);
  command->Footer("Example:\n  warden jobs stop demo --wait");
  command->Runs(options, StopJob);
}

}  // namespace

CommandEntry JobsStop() { return {"stop", "Stop a job", DefineJobsStop}; }

}  // namespace warden::cli
