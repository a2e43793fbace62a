#ifndef WARDEN_SAGEMAKER_PERFORM_H_
#define WARDEN_SAGEMAKER_PERFORM_H_

#include <mutex>
#include <string>
#include <string_view>

#include "warden/sagemaker/operations/operations.h"

namespace warden::sagemaker {

// An operation by somebody who is known: whether he may, whether the body keeps to Amazon's model,
// then what it does. deleting: one for all callers.
operations::Outcome Perform(const ApiParts& parts, const operations::Operation& operation,
                            const auth::Identity& identity, const Json& body,
                            const std::string& invocation_id, std::mutex* deleting);

// Why somebody may not do this.
ApiError AccessDenied(const auth::Identity& identity, std::string_view service,
                      std::string_view operation, const std::string& resource);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_PERFORM_H_
