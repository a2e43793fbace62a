#ifndef WARDEN_SAGEMAKER_BEYOND_LIMITS_H_
#define WARDEN_SAGEMAKER_BEYOND_LIMITS_H_

// What the limits of a key (auth/key_limits.h) mean for a request to SageMaker's API. Reading needs
// no check here: other jobs are not in the store that the request sees (jobs/db/limited_store.h).

#include <optional>
#include <string>
#include <string_view>

#include "warden/auth/authenticator.h"
#include "warden/base/json_fwd.h"

namespace warden::sagemaker {

// Why a request leads beyond the limits of its sender's key.
struct BeyondLimits {
  std::string resource;  // An ARN: of the job or the bucket that the key is not for.
  std::string reason;    // "the key is limited to ...".
};

// Checks a request that changes something: whether it is about a job of the key, and whether a job
// that it creates or changes would use other jobs' tensors, stop other jobs, or read or write other
// buckets or files of the machine. For that, all texts of the body are searched for addresses, also
// those within JSON in a text. Nothing: it is within the limits. body: of the operation's shape
// (Validate), without nulls. Pure.
std::optional<BeyondLimits> FindBeyondLimits(const auth::Identity& identity,
                                             std::string_view operation, const Json& body);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_BEYOND_LIMITS_H_
