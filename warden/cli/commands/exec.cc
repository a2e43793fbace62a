#include "warden/cli/commands/commands.h"
#include "warden/cli/serve/service_call.h"
#include "warden/cli/text.h"
#include "warden/client/shell_client.h"

namespace warden::cli {
namespace {

struct ExecOptions {
  client::EndpointFlags service;
  std::string job;
  std::string host;
  std::vector<std::string> words;
};

Result<int> OpenShell(const ExecOptions& options, Output* out) {
  auto service = ServiceCall::Open(options.service, out);
  if (!service.ok()) return service.status();
  const auto end =
      client::RunShell(service.value().endpoint(), {options.job, options.host, options.words});
  if (!end.ok()) return end.status();
  if (end.value().closed.empty()) return end.value().exit_code;
  out->Tell("session closed: " + Printable(end.value().closed));
  return kFailed;
}

void DefineExec(Command* command) {
  auto options = std::make_shared<ExecOptions>();
  command->Positional("JOB", &options->job, "Name of a running job");
  command->Text("--host", &options->host, "Host of the job, such as algo-2 (default: the first)");
  command->OtherProgram(&options->words);
  DefineServiceFlags(command, &options->service);
  command->Footer(
      "Opens a shell, or runs the command after '--', in the environment and folder of the job's\n"
      "training. The job must allow it: create it with RemoteDebugConfig, or run\n"
      "'warden jobs update JOB --remote-debug on'. The job's log records who connected, when, and\n"
      "what was typed. Exit code: that of the shell or command.\n\n"
      "Examples:\n"
      "  warden exec demo\n"
      "  warden exec demo --host algo-2 -- nvidia-smi");
  command->Runs(options, OpenShell);
}

}  // namespace

CommandEntry Exec() { return {"exec", "Open a shell in a running job", DefineExec, true}; }

}  // namespace warden::cli
