#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/serve/service_call.h"

namespace warden::cli {
namespace {

struct JobsRmOptions {
  service::EndpointFlags service;
  std::vector<std::string> jobs;
  bool json = false;
};

Result<int> RemoveJobs(const JobsRmOptions& options, Output* out) {
  auto service = ServiceCall::Open(options.service, out);
  if (!service.ok()) return service.status();
  for (const std::string& job : options.jobs) {
    const auto answer = service.value().Call("DeleteTrainingJob", {{"TrainingJobName", job}});
    if (!answer.ok()) return answer.status().WithContext(job);
  }
  if (options.json) out->PrintJson({{"removed", options.jobs}});
  return kDone;
}

void DefineJobsRm(Command* command) {
  auto options = std::make_shared<JobsRmOptions>();
  command->Positionals("JOB", &options->jobs, "Names of jobs that are over");
  command->Json(&options->json);
  DefineServiceFlags(command, &options->service);
  command->Footer("Removes the record and the logs; what a job has written into buckets stays.");
  command->Runs(options, RemoveJobs);
}

}  // namespace

CommandEntry JobsRm() { return {"rm", "Forget jobs that are over", DefineJobsRm}; }

}  // namespace warden::cli
