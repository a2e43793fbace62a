#ifndef WARDEN_SAGEMAKER_MODEL_JSON_TYPE_H_
#define WARDEN_SAGEMAKER_MODEL_JSON_TYPE_H_

#include <string>

#include "warden/base/json_fwd.h"
#include "warden/sagemaker/model/shapes.h"

namespace warden::sagemaker {

// What is wrong with the JSON type of a value that is not null; empty: nothing. Whole numbers may
// be written as 3.0; times are any number that is finite.
std::string TypeFault(const Shape& shape, const Json& value, const std::string& path);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_MODEL_JSON_TYPE_H_
