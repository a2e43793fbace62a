#ifndef WARDEN_SAGEMAKER_PERFORM_H_
#define WARDEN_SAGEMAKER_PERFORM_H_

// The way of every SageMaker operation, after its sender is known. Used by the API and by the
// dashboard's controls.

#include <mutex>
#include <string>
#include <string_view>

#include "warden/sagemaker/operations/operations.h"

namespace warden::sagemaker {

// Checks whether the sender has the operation's scope, whether the body conforms to Amazon's model
// (Validate) and, for changes, whether it is within the limits of the sender's key
// (beyond_limits.h); then runs the operation. AccessDeniedException without the scope or beyond the
// limits. parts: with the store that the sender sees. invocation_id: the same when a client repeats
// a request; may be empty. deleting: one mutex for all callers that delete; may be null for
// operations other than DeleteTrainingJob. May block on the disk. Safe for many threads.
operations::Outcome Perform(const ApiParts& parts, const operations::Operation& operation,
                            const auth::Identity& identity, const Json& body,
                            const std::string& invocation_id, std::mutex* deleting);

// The error for somebody who may not do this, in Amazon's words. service: "sagemaker"; resource: an
// ARN or "*".
ApiError AccessDenied(const auth::Identity& identity, std::string_view service,
                      std::string_view operation, const std::string& resource);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_PERFORM_H_
