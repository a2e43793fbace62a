#ifndef WARDEN_SAGEMAKER_MODEL_VALIDATE_H_
#define WARDEN_SAGEMAKER_MODEL_VALIDATE_H_

// Checks requests against Amazon's model, before any operation sees them:
//
//   if (auto error = Validate("CreateTrainingJob", body)) return ToResponse(*error, head.id);
//   // "1 validation error detected: Value null at 'trainingJobName' failed to satisfy constraint:
//   // Member must not be null"

#include <optional>
#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/sagemaker/model/api_error.h"

namespace warden::sagemaker {

// Whether a request conforms to Amazon's model of the operation; nothing if it does. A value of the
// wrong JSON type is a SerializationException; everything else is one ValidationException that
// lists all faults, in the words that SageMaker uses. Null counts as absent; members that the model
// does not know are ignored. What the model cannot express is up to the operations. REQUIRES: the
// operation is one of Operations() (see shapes.h). Safe for many threads.
std::optional<ApiError> Validate(std::string_view operation, const Json& body);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_MODEL_VALIDATE_H_
