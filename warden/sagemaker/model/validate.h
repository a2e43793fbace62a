#ifndef WARDEN_SAGEMAKER_MODEL_VALIDATE_H_
#define WARDEN_SAGEMAKER_MODEL_VALIDATE_H_

#include <optional>
#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/sagemaker/model/error.h"

namespace warden::sagemaker {

// Whether a request is what Amazon's model of the operation says; nothing if it is. A value of the
// wrong JSON type is a SerializationException, everything else a ValidationException that tells of
// all faults in the words that SageMaker uses. Null is the same as absent; members that the model
// does not know are ignored. REQUIRES: the operation is one of Operations() (see shapes.h).
std::optional<ApiError> Validate(std::string_view operation, const Json& body);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_MODEL_VALIDATE_H_
