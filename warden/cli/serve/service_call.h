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

// Flags of all commands that talk to a service, under the same names.
void DefineServiceFlags(Command* command, client::EndpointFlags* flags);

// The service that a command talks to.
class ServiceCall {
 public:
  // Tells out if the token would go over a network unprotected.
  static Result<ServiceCall> Open(const client::EndpointFlags& flags, Output* out);

  const client::Endpoint& endpoint() const { return *endpoint_; }

  // operation: "DescribeTrainingJob" of SageMaker, or "Logs_20140328.GetLogEvents".
  Result<Json> Call(const std::string& operation, const Json& request);
  Result<Json> Describe(const std::string& job);

 private:
  // By pointer, because the client points to it.
  std::unique_ptr<client::Endpoint> endpoint_;
  std::unique_ptr<client::ApiClient> client_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_SERVE_SERVICE_CALL_H_
