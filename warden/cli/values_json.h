#ifndef WARDEN_CLI_VALUES_JSON_H_
#define WARDEN_CLI_VALUES_JSON_H_

#include <functional>
#include <string_view>

#include "warden/trial/tensor_value.h"

namespace warden::cli {

// The values as nested JSON lists in the tensor's shape, given out piece by piece.
void PrintValuesAsJson(const trial::TensorValue& value,
                       const std::function<void(std::string_view)>& print);

}  // namespace warden::cli

#endif  // WARDEN_CLI_VALUES_JSON_H_
