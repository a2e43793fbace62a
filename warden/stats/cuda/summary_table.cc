#include "warden/stats/cuda/summary_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <tuple>

namespace warden::stats::cuda {
namespace {

struct Dimension {
  uint64_t size = 0;
  int64_t step = 0;
};

// The fewest dimensions that have the same elements, outermost first.
std::vector<Dimension> JoinDimensions(const DeviceTensor& tensor) {
  std::vector<Dimension> dimensions;
  for (size_t i = 0; i < tensor.sizes.size(); ++i) {
    if (tensor.sizes[i] != 1) {
      dimensions.push_back({static_cast<uint64_t>(tensor.sizes[i]), tensor.steps[i]});
    }
  }
  std::sort(dimensions.begin(), dimensions.end(), [](const auto& a, const auto& b) {
    return std::make_tuple(std::llabs(a.step), a.step, a.size) >
           std::make_tuple(std::llabs(b.step), b.step, b.size);
  });
  std::vector<Dimension> joined;
  for (const Dimension& inner : dimensions) {
    if (!joined.empty() && joined.back().step == inner.step * static_cast<int64_t>(inner.size)) {
      joined.back() = {joined.back().size * inner.size, inner.step};
    } else {
      joined.push_back(inner);
    }
  }
  return joined;
}

bool LieSideBySide(const std::vector<Dimension>& dimensions) {
  return dimensions.empty() || (dimensions.size() == 1 && dimensions[0].step == 1);
}

template <class T>
std::byte* WriteAll(const std::vector<T>& values, std::byte* target) {
  const size_t bytes = values.size() * sizeof(T);
  if (bytes > 0) std::memcpy(target, values.data(), bytes);
  return target + bytes;
}

}  // namespace

std::optional<ElementType> ElementTypeOf(DType dtype) {
  switch (dtype) {
    case DType::kFloat16: return kElementFloat16;
    case DType::kBFloat16: return kElementBFloat16;
    case DType::kFloat32: return kElementFloat32;
    case DType::kFloat64: return kElementFloat64;
    case DType::kInt8: return kElementInt8;
    case DType::kInt16: return kElementInt16;
    case DType::kInt32: return kElementInt32;
    case DType::kInt64: return kElementInt64;
    case DType::kUInt8: return kElementUInt8;
    case DType::kUInt16: return kElementUInt16;
    case DType::kUInt32: return kElementUInt32;
    case DType::kUInt64: return kElementUInt64;
    case DType::kBool: return kElementBool;
    default: return std::nullopt;
  }
}

size_t ElementSize(ElementType type) {
  switch (type) {
    case kElementFloat64:
    case kElementInt64:
    case kElementUInt64: return 8;
    case kElementFloat32:
    case kElementInt32:
    case kElementUInt32: return 4;
    case kElementFloat16:
    case kElementBFloat16:
    case kElementInt16:
    case kElementUInt16: return 2;
    default: return 1;
  }
}

void SummaryTable::Clear() {
  entries_.clear();
  layouts_.clear();
  first_tiles_.clear();
  tiles_ = 0;
}

Status SummaryTable::Add(const DeviceTensor& tensor) {
  const size_t size = ElementSize(tensor.type);
  if (tensor.count > 0 && tensor.data % size != 0) {
    return Status(Code::kInvalid,
                  fmt::format("address is {:#x}; expected a multiple of {}", tensor.data, size));
  }
  TensorEntry entry{tensor.data, tensor.count, tensor.type, 0};
  StridedLayout layout = {};
  if (!tensor.sizes.empty() && tensor.count > 0) {
    const std::vector<Dimension> dimensions = JoinDimensions(tensor);
    if (dimensions.size() > kMostDimensions) {
      return Status(Code::kInvalid,
                    fmt::format("the tensor has {} dimensions that are not contiguous; expected at "
                                "most {}",
                                dimensions.size(), kMostDimensions));
    }
    if (!LieSideBySide(dimensions)) {
      layout.rank = dimensions.size();
      for (size_t i = 0; i < dimensions.size(); ++i) {
        layout.sizes[i] = dimensions[i].size;
        layout.steps[i] = dimensions[i].step;
      }
      entry.layout = layouts() + 1;
    }
  }
  const uint64_t share =
      threads_ * (tensor.type == kElementFloat64 ? kDoublesOfThread : kElementsOfThread);
  const uint64_t head = entry.layout == 0 ? tensor.data % kVectorBytes / size : 0;
  const uint64_t tiles = tensor.count == 0 ? 0 : (head + tensor.count - 1) / share + 1;
  if (tiles > std::numeric_limits<unsigned>::max() - tiles_) {
    return Status(Code::kInvalid, "the tensors have too many elements for one launch");
  }
  if (entry.layout != 0) layouts_.push_back(layout);
  entries_.push_back(entry);
  first_tiles_.push_back(tiles_);
  tiles_ += static_cast<unsigned>(tiles);
  return Status();
}

size_t SummaryTable::bytes() const {
  return entries_.size() * sizeof(TensorEntry) + layouts_.size() * sizeof(StridedLayout) +
         (first_tiles_.size() + 1) * sizeof(unsigned);
}

void SummaryTable::Write(std::byte* target) const {
  target = WriteAll(entries_, target);
  target = WriteAll(layouts_, target);
  target = WriteAll(first_tiles_, target);
  std::memcpy(target, &tiles_, sizeof(tiles_));
}

}  // namespace warden::stats::cuda
