#ifndef WARDEN_SAGEMAKER_MODEL_JAVA_PATTERN_H_
#define WARDEN_SAGEMAKER_MODEL_JAVA_PATTERN_H_

// Regular expressions of Amazon's model, which are Java's. Used when the model is loaded
// (shapes.h).

#include <string_view>

#include "warden/base/pattern.h"

namespace warden::sagemaker {

// Translates a regular expression of Java that must match a whole string, for our engine: in Java
// \d and \w mean ASCII, '.' excludes all kinds of line breaks, and characters are written as
// \u0020. Covers what the model uses, not all of Java. kInvalid.
Result<Pattern> CompileJavaPattern(std::string_view java);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_MODEL_JAVA_PATTERN_H_
