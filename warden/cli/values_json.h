#ifndef WARDEN_CLI_VALUES_JSON_H_
#define WARDEN_CLI_VALUES_JSON_H_

// A tensor's values as JSON, of any size.

#include <functional>
#include <string_view>

#include "warden/trial/tensor_value.h"

namespace warden::cli {

// The values as nested JSON lists in the tensor's shape, exactly: reading them back gives the same
// numbers. A scalar is a single value; an empty tensor is "[]". print is called with one piece
// after the other, each valid during that call, since the text of a large tensor would not fit into
// memory. For `warden trial show --json` and exports.
void PrintValuesAsJson(const trial::TensorValue& value,
                       const std::function<void(std::string_view)>& print);

}  // namespace warden::cli

#endif  // WARDEN_CLI_VALUES_JSON_H_
