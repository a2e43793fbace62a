#ifndef WARDEN_SAGEMAKER_MODEL_JAVA_TEXT_H_
#define WARDEN_SAGEMAKER_MODEL_JAVA_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "warden/base/json_fwd.h"

namespace warden::sagemaker {

// A value as Java prints it, which is how messages show it: "[a, b]", "{k=v, k2=v2}". The end of a
// very long one is left out.
std::string JavaText(const Json& value);

// How many characters a valid text has.
size_t CodePoints(std::string_view text);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_MODEL_JAVA_TEXT_H_
