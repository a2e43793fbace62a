#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/serve/job_text.h"
#include "warden/cli/serve/service_call.h"
#include "warden/cli/text.h"
#include "warden/os/whole_file.h"

namespace warden::cli {
namespace {

struct JobsCreateOptions {
  client::EndpointFlags service;
  std::string file;
  std::string name;
  bool json = false;
};

std::string ReadInput() {
  std::string text;
  std::array<char, 64 << 10> buffer;
  for (ssize_t n = 0; (n = read(STDIN_FILENO, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<size_t>(n));
  }
  return text;
}

Result<Json> ReadRequest(const JobsCreateOptions& options) {
  const auto text = options.file == "-" ? ReadInput() : os::ReadWholeFile(options.file);
  if (!text) return Status(Code::kNotFound, fmt::format("cannot open {}", options.file));
  auto request = ParseJson(*text);
  if (!request.ok()) {
    return Status(Code::kInvalid, request.status().WithContext(options.file).message());
  }
  if (!request.value().is_object()) {
    return Status(
        Code::kInvalid,
        fmt::format("{}: expected a JSON object with a CreateTrainingJob request", options.file));
  }
  if (!options.name.empty()) request.value()["TrainingJobName"] = options.name;
  return request;
}

Result<int> CreateJob(const JobsCreateOptions& options, Output* out) {
  const auto request = ReadRequest(options);
  if (!request.ok()) return request.status();
  auto service = ServiceCall::Open(options.service, out);
  if (!service.ok()) return service.status();
  const auto answer = service.value().Call("CreateTrainingJob", request.value());
  if (!answer.ok()) return answer.status();
  if (options.json) {
    out->PrintJson(answer.value());
  } else {
    out->Print("{}\n", Printable(TextIn(answer.value(), "TrainingJobArn")));
  }
  return kDone;
}

void DefineJobsCreate(Command* command) {
  auto options = std::make_shared<JobsCreateOptions>();
  command->Text("--file", &options->file,
                "JSON file with a CreateTrainingJob request; '-' reads standard input");
  command->Required("--file");
  command->Text("--name", &options->name, "Job name; overrides the one in the file");
  command->Json(&options->json);
  DefineServiceFlags(command, &options->service);
  command->Footer(
      "The file has the format of 'aws sagemaker create-training-job --cli-input-json'.\n\n"
      "Examples:\n"
      "  warden jobs create --file job.json\n"
      "  warden jobs create --file job.json --name second-try");
  command->Runs(options, CreateJob);
}

}  // namespace

CommandEntry JobsCreate() { return {"create", "Start a job", DefineJobsCreate}; }

}  // namespace warden::cli
