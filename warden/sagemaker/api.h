#ifndef WARDEN_SAGEMAKER_API_H_
#define WARDEN_SAGEMAKER_API_H_

// The entrance of this part: Amazon's API, as far as the SageMaker SDK, boto3 and the aws CLI need
// it to train with this service. The service makes one handler and routes all "POST /" to it:
//
//   const ApiParts parts{&options, authenticator, store, launcher, supervisor};
//   auto api = MakeApi(parts);
//   auto router = http::MakeRouter({{{&http::IsApiCall, api.get()}}, /*fallback=*/s3.get()});

#include <memory>

#include "warden/http/message.h"
#include "warden/sagemaker/operations/api_parts.h"

namespace warden::sagemaker {

// Returns a handler for "POST /": SageMaker and CloudWatch Logs (JSON, by X-Amz-Target), STS and
// IAM (forms, by Action). Authenticates each request, checks scope and body, and performs the
// operation. Errors have the codes and texts of Amazon's API, since clients match on them; bodies
// of more than 1 MB are answered 413. Safe for many threads. parts are copied; what they point to
// is not owned and outlives the handler. All must be set.
std::unique_ptr<http::Handler> MakeApi(const ApiParts& parts);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_API_H_
