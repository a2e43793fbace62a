#ifndef WARDEN_CLIENT_API_CLIENT_H_
#define WARDEN_CLIENT_API_CLIENT_H_

#include <memory>
#include <stop_token>
#include <string>

#include "warden/base/json_fwd.h"
#include "warden/base/status.h"
#include "warden/client/service_file.h"

namespace warden::client {

// Calls operations of a service. For one thread.
class ApiClient {
 public:
  virtual ~ApiClient() = default;

  // target: "SageMaker.DescribeTrainingJob". What it answers; an empty object if that is nothing.
  // An error that the service tells is "code: message": kNotFound if it says that there is no such
  // thing, kExists if there is one already, else kInvalid for those that are the caller's;
  // kUnavailable if no service answers.
  virtual Result<Json> Call(const std::string& target, const Json& request) = 0;
};

// endpoint outlives it. A stop breaks off what is under way.
std::unique_ptr<ApiClient> MakeApiClient(const Endpoint* endpoint, std::stop_token stop = {});

// What an answer of the service means: the body of one of 2xx, else the error in it.
Result<Json> ReadAnswer(long status, const std::string& body);

}  // namespace warden::client

#endif  // WARDEN_CLIENT_API_CLIENT_H_
