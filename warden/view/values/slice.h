#ifndef WARDEN_VIEW_VALUES_SLICE_H_
#define WARDEN_VIEW_VALUES_SLICE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"

namespace warden::view {

// One part of a slice as it was written.
struct SlicePart {
  enum class Kind { kIndex, kRange, kEllipsis };
  Kind kind = Kind::kRange;
  int64_t index = 0;  // kIndex; negative ones count from the end.
  std::optional<int64_t> start = {}, stop = {}, step = {};  // kRange.
};

// A slice as NumPy writes it between its brackets: "0, :, 10:20:2", "..., -1", "::-1". Blanks are
// passed over, brackets around it allowed; nothing at all is everything. kInvalid names the part
// that is none of these, more than one "...", a step of 0.
Result<std::vector<SlicePart>> ParseSlice(std::string_view text);

// What a slice takes of one axis: elements start, start + step, ...
struct AxisSlice {
  int64_t start = 0;
  int64_t count = 0;
  int64_t step = 1;
  bool keep = true;  // False: one index was given, and the axis is gone from the result.
};

// A slice of a tensor of known shape.
struct ResolvedSlice {
  std::vector<AxisSlice> axes;  // One for each axis of the tensor.
  std::vector<int64_t> shape;   // Of the result.
  uint64_t count = 0;           // Elements of the result; the most there can be where it overflows.
  std::string text;             // The slice in full: "0, 0:5, 10:20:2".
};

// kInvalid names the axis and its size: an index outside it, more parts than the tensor has axes.
// REQUIRES: no size is negative.
Result<ResolvedSlice> ResolveSlice(std::span<const SlicePart> parts,
                                   std::span<const int64_t> shape);

// Calls visit with the place, in C order, of each element of the result, in C order.
void ForEachPlace(const ResolvedSlice& slice, std::span<const int64_t> shape,
                  const std::function<void(uint64_t)>& visit);

// "3 x 4"; "no axes (one value)" for a scalar.
std::string ShapeText(std::span<const int64_t> shape);

}  // namespace warden::view

#endif  // WARDEN_VIEW_VALUES_SLICE_H_
