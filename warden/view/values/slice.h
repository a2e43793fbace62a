#ifndef WARDEN_VIEW_VALUES_SLICE_H_
#define WARDEN_VIEW_VALUES_SLICE_H_

// Slices of tensors in NumPy's notation, for the dashboard's table of values.
//
//   const auto terms = ParseSlice("0, :, 10:20:2");
//   const auto slice = ResolveSlice(terms.value(), shape);
//   ForEachPlace(slice.value(), shape, [&](uint64_t place) { Use(numbers.At(place)); });

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"

namespace warden::view {

// One term of a slice as it was written, before the size of its axis is known.
struct SliceTerm {
  enum class Kind { kIndex, kRange, kEllipsis };
  Kind kind = Kind::kRange;
  int64_t index = 0;  // kIndex; negative ones count from the end.
  std::optional<int64_t> start = {}, stop = {}, step = {};  // kRange.
};

// A slice as NumPy writes it between its brackets: "0, :, 10:20:2", "..., -1", "::-1". Blanks are
// ignored, brackets around it and a comma at its end allowed; an empty text is everything. kInvalid
// names the term that is none of these, a second "...", or a step of 0.
Result<std::vector<SliceTerm>> ParseSlice(std::string_view text);

// What a slice takes of one axis: elements start, start + step, ...
struct AxisSlice {
  int64_t start = 0;
  int64_t count = 0;  // How many elements; 0 is allowed.
  int64_t step = 1;   // Not 0; may be negative.
  bool keep = true;   // False: one index was given, and the axis is gone from the result.
};

// A slice of a tensor of known shape.
struct ResolvedSlice {
  std::vector<AxisSlice> axes;  // One for each axis of the tensor.
  std::vector<int64_t> shape;   // Of the result.
  uint64_t count = 0;           // Elements of the result; UINT64_MAX where that overflows.
  std::string text;             // The slice in full: "0, 0:5, 10:20:2".
};

// Applies a slice to a shape, as NumPy does: negative numbers count from the end, ranges are cut to
// what there is, axes that are not mentioned are taken whole. kInvalid names the axis and its size:
// an index outside it, or more terms than the tensor has axes. REQUIRES: no size is negative.
Result<ResolvedSlice> ResolveSlice(std::span<const SliceTerm> terms,
                                   std::span<const int64_t> shape);

// Calls visit with the position in the tensor, in C order, of each element of the result, in C
// order of the result. shape: that of ResolveSlice. Check slice.count before: there may be very
// many.
void ForEachPlace(const ResolvedSlice& slice, std::span<const int64_t> shape,
                  const std::function<void(uint64_t)>& visit);

// "3 x 4"; "scalar" for a tensor without axes. For messages.
std::string ShapeText(std::span<const int64_t> shape);

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_SLICE_H_
