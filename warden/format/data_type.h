#ifndef WARDEN_FORMAT_DATA_TYPE_H_
#define WARDEN_FORMAT_DATA_TYPE_H_

#include <cstdint>
#include <optional>

#include "warden/base/dtype.h"

namespace warden::format {

// Element types in event files, for the code that reads and writes TensorProto. Everything else
// uses DType.

// The number that stands for a type in event files: TensorFlow's DataType. Every DType has one.
uint32_t DataTypeNumber(DType dtype);

// The type of that number; a reference to a type (100 more) counts as the type itself. Nothing for
// a number that none of our types has: quantized types, float8, resources, and 0.
std::optional<DType> DTypeFromNumber(uint64_t number);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_DATA_TYPE_H_
