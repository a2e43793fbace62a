#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/base/strings.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/serve/service_call.h"

namespace warden::cli {
namespace {

struct JobsUpdateOptions {
  client::EndpointFlags service;
  std::string job;
  std::string interval;
  bool disable_profiler = false;
  bool enable_profiler = false;
  std::string remote_debug;
  bool json = false;
};

Result<Json> RequestOf(const JobsUpdateOptions& options) {
  Json request = {{"TrainingJobName", options.job}};
  Json profiler = Json::object();
  if (options.disable_profiler) profiler["DisableProfiler"] = true;
  if (options.enable_profiler) profiler["DisableProfiler"] = false;
  if (!options.interval.empty()) {
    const auto milliseconds = ParseInt(options.interval);
    if (!milliseconds) {
      return Status(Code::kInvalid,
                    fmt::format("--interval is '{}'; expected one of: 100, 200, 500, 1000, 5000, "
                                "60000",
                                options.interval));
    }
    profiler["ProfilingIntervalInMilliseconds"] = *milliseconds;
  }
  if (!profiler.empty()) request["ProfilerConfig"] = std::move(profiler);
  if (!options.remote_debug.empty()) {
    request["RemoteDebugConfig"] = {{"EnableRemoteDebug", options.remote_debug == "on"}};
  }
  if (request.size() == 1) {
    return Status(Code::kInvalid,
                  "nothing to change; expected one of: --interval, --disable-profiler, "
                  "--enable-profiler, --remote-debug");
  }
  return request;
}

Result<int> UpdateJob(const JobsUpdateOptions& options, Output* out) {
  const auto request = RequestOf(options);
  if (!request.ok()) return request.status();
  auto service = ServiceCall::Open(options.service, out);
  if (!service.ok()) return service.status();
  const auto answer = service.value().Call("UpdateTrainingJob", request.value());
  if (!answer.ok()) return answer.status();
  if (options.json) out->PrintJson(answer.value());
  return kDone;
}

void DefineJobsUpdate(Command* command) {
  auto options = std::make_shared<JobsUpdateOptions>();
  command->Positional("JOB", &options->job, "Name of the job");
  command->Text("--interval", &options->interval, "Milliseconds between samples of the machine");
  command->Switch("--disable-profiler", &options->disable_profiler, "Stop profiling");
  command->Switch("--enable-profiler", &options->enable_profiler, "Start profiling again");
  command->Exclusive({"--disable-profiler", "--enable-profiler"});
  command->Choice("--remote-debug", &options->remote_debug, {"on", "off"},
                  "Allow 'warden exec' to open shells in the job");
  command->Json(&options->json);
  DefineServiceFlags(command, &options->service);
  command->Footer(
      "Examples:\n  warden jobs update demo --interval 100\n"
      "  warden jobs update demo --remote-debug on");
  command->Runs(options, UpdateJob);
}

}  // namespace

CommandEntry JobsUpdate() {
  return {"update", "Change the settings of a running job", DefineJobsUpdate};
}

}  // namespace warden::cli
