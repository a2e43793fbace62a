#ifndef WARDEN_CLIENT_API_CLIENT_H_
#define WARDEN_CLIENT_API_CLIENT_H_

// Calls the API of a service from commands such as `warden jobs`, with a bearer token instead of
// signatures.
//
//   auto client = MakeApiClient(&endpoint);
//   auto job = client->Call("SageMaker.DescribeTrainingJob", {{"TrainingJobName", "mnist-1"}});

#include <memory>
#include <stop_token>
#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/client/service_file.h"

namespace warden::client {

// Calls operations of a service. For one thread; blocks until the response is there.
class ApiClient {
 public:
  virtual ~ApiClient() = default;

  // target: "SageMaker.DescribeTrainingJob". Returns the response; an empty object if that is
  // empty. Errors of the service are "code: message": kNotFound if there is no such thing, kExists
  // if it is in use, kInvalid for other mistakes of the caller, kUnavailable for 5xx. kUnavailable
  // also if no service answers, or something else does. Does not retry.
  virtual Result<Json> Call(const std::string& target, const Json& request) = 0;
  // Reads from the dashboard's API; path: "/-/api/runs/mnist-1". Errors as above, without a code of
  // the service.
  virtual Result<Json> Get(const std::string& path) = 0;
};

// endpoint is not owned and outlives it. A stop ends the call that is under way (kUnavailable).
// Plain HTTP never goes through a proxy, which could read the token.
std::unique_ptr<ApiClient> MakeApiClient(const Endpoint* endpoint, std::stop_token stop = {});

// What a response means: the body of a 2xx, else the error in it, as Call returns it. status: of
// HTTP.
Result<Json> ReadAnswer(long status, const std::string& body);

}  // namespace warden::client

#endif  // WARDEN_CLIENT_API_CLIENT_H_
