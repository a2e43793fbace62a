#ifndef WARDEN_FORMAT_REDUCTION_TENSOR_H_
#define WARDEN_FORMAT_REDUCTION_TENSOR_H_

#include <optional>
#include <string>
#include <string_view>

#include "warden/base/reduction.h"

namespace warden::format {

// A saved reduction is a separate tensor, a scalar, named "smdebug/reductions/abs_mean/<tensor>".
// capture makes these names, readers take them apart. Pure functions, safe for many threads.

// strip_colons: as every hook but TensorFlow's does, ":0" and the like are left out of the tensor's
// name; the name of the tensor itself keeps them.
std::string ReductionTensorName(Reduction reduction, std::string_view tensor, bool strip_colons);

struct ReductionTensor {
  Reduction reduction;
  std::string_view tensor;  // The tensor that was reduced: a view into the name.
};
// Nothing if the name is an ordinary tensor's. The prefix may stand anywhere in the name; what
// precedes it is dropped. name outlives the result.
std::optional<ReductionTensor> ParseReductionTensorName(std::string_view name);

}  // namespace warden::format

#endif  // WARDEN_FORMAT_REDUCTION_TENSOR_H_
