#ifndef WARDEN_CAPTURE_WIDEN_H_
#define WARDEN_CAPTURE_WIDEN_H_

#include <vector>

#include "warden/base/dtype.h"
#include "warden/base/status.h"
#include "warden/stats/tensor_ref.h"

namespace warden::capture {

// For runs that the original library is to read (HookOptions::original_types_only). Safe for many
// threads.

// The type as which the original library can read such values without loss: itself for those it
// knows (float16/32/64, int32, int64, uint8, bool, complex128, strings), else a wider one.
// kInvalidType for uint64, which has none.
Result<DType> OriginalType(DType dtype);

// The values converted to OriginalType, in a new buffer. REQUIRES: that is another type.
std::vector<std::byte> Widen(const stats::TensorRef& value);

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_WIDEN_H_
