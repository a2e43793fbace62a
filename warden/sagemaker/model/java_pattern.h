#ifndef WARDEN_SAGEMAKER_MODEL_JAVA_PATTERN_H_
#define WARDEN_SAGEMAKER_MODEL_JAVA_PATTERN_H_

#include <string_view>

#include "warden/base/pattern.h"

namespace warden::sagemaker {

// A pattern of Java's that is to match a whole string, for our own engine: \d and \w mean ASCII
// there, '.' no line break of any kind, and characters are named as \u0020. kInvalid.
Result<Pattern> CompileJavaPattern(std::string_view java);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_MODEL_JAVA_PATTERN_H_
