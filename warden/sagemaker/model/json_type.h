#ifndef WARDEN_SAGEMAKER_MODEL_JSON_TYPE_H_
#define WARDEN_SAGEMAKER_MODEL_JSON_TYPE_H_

// The first check of a value: its JSON type. Used by Validate.

#include <string>

#include "warden/base/json_fwd.h"
#include "warden/sagemaker/model/shapes.h"

namespace warden::sagemaker {

// Returns what is wrong with the JSON type of a value, in SageMaker's words; empty: nothing. Checks
// this value only, not what is in it. Integers may be written as 3.0, within 32 or 64 bits; times
// are any finite number. path: for the message. REQUIRES: value is not null.
std::string TypeFault(const Shape& shape, const Json& value, const std::string& path);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_MODEL_JSON_TYPE_H_
