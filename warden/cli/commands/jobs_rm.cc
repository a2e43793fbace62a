#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/serve/service_call.h"

namespace warden::cli {
namespace {

struct JobsRmOptions {
  client::EndpointFlags service;
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
  command->Positionals("JOB", &options->jobs, "Names of finished jobs");
  command->Json(&options->json);
  DefineServiceFlags(command, &options->service);
  command->Footer(
      "Removes the records and logs. Output in buckets stays.\n\n"
      "Example:\n"
      "  warden jobs rm demo");
  command->Runs(options, RemoveJobs);
}

}  // namespace

CommandEntry JobsRm() { return {"rm", "Remove finished jobs", DefineJobsRm}; }

}  // namespace warden::cli
