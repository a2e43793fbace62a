#ifndef WARDEN_CLI_ARRAY_TEXT_H_
#define WARDEN_CLI_ARRAY_TEXT_H_

#include <functional>
#include <string_view>

#include "warden/trial/tensor_value.h"

namespace warden::cli {

// The value as NumPy's repr prints it: more than a thousand elements are summarized to the first
// and last three of each dimension, unless all are requested. Lines are at most 75 columns wide, as
// NumPy's, whatever the terminal's width; strings are quoted and escaped. Ends with a line break.
//
// print is called with one piece after the other, since the text of a large tensor would not fit
// into memory; a piece is valid during that call. Used by `warden trial show`.
void PrintArray(const trial::TensorValue& value, bool all,
                const std::function<void(std::string_view)>& print);

}  // namespace warden::cli

#endif  // WARDEN_CLI_ARRAY_TEXT_H_
