#ifndef WARDEN_SAGEMAKER_WITHOUT_NULLS_H_
#define WARDEN_SAGEMAKER_WITHOUT_NULLS_H_

// Requests without nulls. Used by Perform, between Validate and the operation.

#include "warden/base/json_fwd.h"

namespace warden::sagemaker {

// Returns a copy without the members and elements that are null, at any depth: to the API they are
// absent, so operations need not check for them.
Json WithoutNulls(const Json& json);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_WITHOUT_NULLS_H_
