#ifndef WARDEN_VIEW_VALUES_NUMBERS_H_
#define WARDEN_VIEW_VALUES_NUMBERS_H_

// Elements of a tensor of any type as doubles. Used for slices, distributions and activation maps.

#include <cstddef>
#include <vector>

#include "warden/base/status.h"
#include "warden/stats/summary.h"
#include "warden/trial/tensor_value.h"

namespace warden::view {

// Reads single elements as doubles: of complex numbers the magnitude, of integers beyond 2^53 the
// nearest. Refers to the value, which outlives it. Safe for many threads. A call of a function for
// each element: for samples and slices. Whole tensors go through stats/.
class Numbers {
 public:
  // kInvalidType for strings.
  static Result<Numbers> Of(const trial::TensorValue& value);

  size_t count() const { return count_; }
  // place: in C order. REQUIRES: place < count().
  double At(size_t place) const { return read_(data_, place); }

 private:
  using Read = double (*)(const std::byte*, size_t);
  Numbers(const std::byte* data, size_t count, Read read)
      : data_(data), count_(count), read_(read) {}

  const std::byte* data_;
  size_t count_;
  Read read_;
};

// stats::Summarize; of complex numbers over their magnitudes. kInvalidType for strings. Reads every
// element, in blocks of 4096 for complex numbers, so that no copy of the tensor is made.
Result<stats::Summary> SummarizeNumbers(const trial::TensorValue& value);

// The finite elements in ascending order; of more than `most` elements, that many are looked at,
// one from each stretch of the same length, at a position that does not repeat: an even stride
// would see only some of the channels. The same tensor gives the same sample. Elements that are not
// finite are left out, so the sample may be smaller. O(most log most).
std::vector<double> SortedSample(const Numbers& numbers, size_t most);

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_NUMBERS_H_
