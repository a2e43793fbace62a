#ifndef WARDEN_SAGEMAKER_MODEL_JAVA_TEXT_H_
#define WARDEN_SAGEMAKER_MODEL_JAVA_TEXT_H_

// How messages of the API show values: as Java prints them.

#include <cstddef>
#include <string>
#include <string_view>

#include "warden/base/json_fwd.h"

namespace warden::sagemaker {

// "[a, b]", "{k=v, k2=v2}", and texts without quotation marks. Cut after 10,000 bytes, so that a
// message cannot become as large as a request.
std::string JavaText(const Json& value);

// How many characters a text has, as the model counts lengths. REQUIRES: valid UTF-8.
size_t CodePoints(std::string_view text);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_MODEL_JAVA_TEXT_H_
