#ifndef WARDEN_CLI_SERVE_SERVICE_CALL_H_
#define WARDEN_CLI_SERVE_SERVICE_CALL_H_

#include <memory>
#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/cli/command.h"
#include "warden/client/api_client.h"
#include "warden/client/service_file.h"

namespace warden::cli {

// Flags of all commands that talk to a service, under the same names. flags outlives the command.
void DefineServiceFlags(Command* command, client::EndpointFlags* flags);

// The service that a command talks to. Movable; for one thread. Calls block until there is an
// answer.
//
//   auto service = ServiceCall::Open(options.endpoint, out);
//   if (!service.ok()) return service.status();
//   const auto described = service.value().Describe(options.job);
class ServiceCall {
 public:
  // Finds the service by the flags, the environment, or the file of the one on this machine; does
  // not contact it. Warns if the token would go over a network unprotected. Errors are those of
  // client::FindService.
  static Result<ServiceCall> Open(const client::EndpointFlags& flags, Output* out);

  const client::Endpoint& endpoint() const { return *endpoint_; }

  // operation: "DescribeTrainingJob" of SageMaker, or "Logs_20140328.GetLogEvents". kNotFound,
  // kExists or kInvalid as the service says, kUnavailable if it does not answer; see
  // client::ApiClient. The answer is untrusted: read it by job_text.h.
  Result<Json> Call(const std::string& operation, const Json& request);
  // DescribeTrainingJob; kNotFound says "no such job".
  Result<Json> Describe(const std::string& job);
  // What the job's page in the dashboard shows: RunDetail of docs/reference/dashboard_api.md.
  // Untrusted, too. REQUIRES: Describe has found the job.
  Result<Json> Page(const std::string& job);

 private:
  // By pointer, because the client points to it.
  std::unique_ptr<client::Endpoint> endpoint_;
  std::unique_ptr<client::ApiClient> client_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_SERVE_SERVICE_CALL_H_
