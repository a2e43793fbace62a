#ifndef WARDEN_SAGEMAKER_API_H_
#define WARDEN_SAGEMAKER_API_H_

#include <memory>

#include "warden/http/message.h"
#include "warden/sagemaker/operations/api_parts.h"

namespace warden::sagemaker {

// Answers "POST /": SageMaker and CloudWatch Logs (JSON, by X-Amz-Target), STS and IAM (forms, by
// Action), as far as clients need them to train.
std::unique_ptr<http::Handler> MakeApi(const ApiParts& parts);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_API_H_
