// warden env: what points boto3, the SageMaker SDK and the aws CLI at the service of this machine.
#include <cstdlib>
#include <filesystem>

#include "warden/base/json.h"
#include "warden/cli/commands/commands.h"
#include "warden/cli/launch/python_site.h"
#include "warden/cli/serve/shell_word.h"
#include "warden/client/service_file.h"

namespace warden::cli {
namespace {

constexpr char kPythonPath[] = "PYTHONPATH";

struct EnvOptions {
  std::string region = "us-east-1";
  bool json = false;
};

// Names and values, in the order in which they are printed.
Json VariablesFor(const client::ServiceNotice& notice, const std::string& region) {
  namespace fs = std::filesystem;
  Json variables = {{"AWS_ENDPOINT_URL", notice.url}};
  const fs::path keys = fs::path(notice.token_file).parent_path() / "credentials";
  std::error_code error;
  if (fs::exists(keys, error)) variables["AWS_SHARED_CREDENTIALS_FILE"] = keys.string();
  variables["AWS_DEFAULT_REGION"] = region;
  if (!notice.certificate.empty()) variables["AWS_CA_BUNDLE"] = notice.certificate;
  // The SDK asks a fixed address who is calling. With these it asks the service.
  if (const auto site = FindPythonSite(OwnProgram())) {
    variables["TENSORWARDEN_SDK"] = "1";
    variables[kPythonPath] = *site;
  }
  return variables;
}

Result<int> PrintEnvironment(const EnvOptions& options, Output* out) {
  const auto notice = client::ReadServiceFile(
      client::ServiceFilePath([](const char* name) { return std::getenv(name); }));
  if (!notice.ok()) {
    return Status(Code::kNotFound,
                  "no service of this user is running on this machine; start one with 'warden "
                  "serve'");
  }
  const Json variables = VariablesFor(notice.value(), options.region);
  if (options.json) {
    out->PrintJson(variables);
    return kDone;
  }
  for (const auto& [name, value] : variables.items()) {
    // What the shell has there stays.
    out->Print("export {}={}{}\n", name, QuotedForShell(value.get<std::string>()),
               name == kPythonPath ? "${PYTHONPATH:+:$PYTHONPATH}" : "");
  }
  return kDone;
}

void DefineEnv(Command* command) {
  auto options = std::make_shared<EnvOptions>();
  command->Text("--region", &options->region, "Region of requests (default: us-east-1)");
  command->Json(&options->json);
  command->Footer("Example:\n  eval \"$(warden env)\"");
  command->Runs(options, PrintEnvironment);
}

}  // namespace

CommandEntry Env() {
  return {"env", "Print the variables that point AWS clients at the service", DefineEnv};
}

}  // namespace warden::cli
