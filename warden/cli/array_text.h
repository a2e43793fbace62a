#ifndef WARDEN_CLI_ARRAY_TEXT_H_
#define WARDEN_CLI_ARRAY_TEXT_H_

#include <functional>
#include <string_view>

#include "warden/trial/tensor_value.h"

namespace warden::cli {

// The value as NumPy's repr prints it: more than a thousand elements are summarised to the first
// and last three of each dimension, unless all are asked for. Given out piece by piece, since all
// of a large tensor's text would not fit into memory.
void PrintArray(const trial::TensorValue& value, bool all,
                const std::function<void(std::string_view)>& print);

}  // namespace warden::cli

#endif  // WARDEN_CLI_ARRAY_TEXT_H_
