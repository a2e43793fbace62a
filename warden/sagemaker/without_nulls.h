#ifndef WARDEN_SAGEMAKER_WITHOUT_NULLS_H_
#define WARDEN_SAGEMAKER_WITHOUT_NULLS_H_

#include "warden/base/json_fwd.h"

namespace warden::sagemaker {

// A copy without the members and elements that are null: to the API they are not there.
Json WithoutNulls(const Json& json);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_WITHOUT_NULLS_H_
