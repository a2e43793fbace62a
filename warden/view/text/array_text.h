#ifndef WARDEN_VIEW_TEXT_ARRAY_TEXT_H_
#define WARDEN_VIEW_TEXT_ARRAY_TEXT_H_

// A whole tensor as text, of any size, for `warden trial show` and exports. print is called with
// one piece after the other, since the text of a large tensor would not fit into memory; a piece is
// valid during that call.

#include <functional>
#include <string_view>

#include "warden/trial/tensor_value.h"

namespace warden::view {

// The value as NumPy's repr prints it: more than a thousand elements are summarized to the first
// and last three of each dimension, unless all are requested. Lines are at most 75 columns wide, as
// NumPy's, whatever the terminal's width; strings are quoted and escaped. Ends with a line break.
void PrintArray(const trial::TensorValue& value, bool all,
                const std::function<void(std::string_view)>& print);

// The values as nested JSON lists in the tensor's shape, exactly: reading them back gives the same
// numbers. A scalar is a single value; an empty tensor is "[]".
void PrintValuesAsJson(const trial::TensorValue& value,
                       const std::function<void(std::string_view)>& print);

}  // namespace warden::view

#endif  // WARDEN_VIEW_TEXT_ARRAY_TEXT_H_
