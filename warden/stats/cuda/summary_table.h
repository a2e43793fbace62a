#ifndef WARDEN_STATS_CUDA_SUMMARY_TABLE_H_
#define WARDEN_STATS_CUDA_SUMMARY_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "warden/base/dtype.h"
#include "warden/base/status.h"
#include "warden/stats/cuda/driver.h"
#include "warden/stats/cuda/summary_job.h"

namespace warden::stats::cuda {

// The number of a type; nothing for complex numbers and strings. The float8 types, which no file of
// a run can hold, have no DType.
std::optional<ElementType> ElementTypeOf(DType dtype);
size_t ElementSize(ElementType type);

// A tensor in a GPU's memory. A plain value that owns nothing.
struct DeviceTensor {
  Address data = 0;  // Of its first element, aligned to it.
  uint64_t count = 0;
  ElementType type = kElementFloat32;
  // If the elements do not lie side by side: the size of each dimension, whose product is count,
  // and the steps between its elements, in elements. Empty otherwise.
  std::span<const int64_t> sizes;
  std::span<const int64_t> steps;
};

// What the kernels need to know about all tensors of a launch (summary_job.h): which there are, and
// where each begins in the sequence of all tiles. A part of DeviceSummaries; knows nothing of CUDA.
// Used again from launch to launch, so that nothing is allocated. For one thread.
//
//   table.Clear();
//   for (const DeviceTensor& tensor : tensors) if (Status s = table.Add(tensor); !s.ok()) return s;
//   table.Write(memory);  // table.bytes() of them.
class SummaryTable {
 public:
  // threads: of a block.
  explicit SummaryTable(unsigned threads) : threads_(threads) {}

  void Clear();
  // kInvalid for an address that is not aligned, more than kMostDimensions dimensions that cannot
  // be joined, or more than 2^32 tiles in all; nothing is added then. The order of elements does
  // not matter to statistics: a transposed matrix is read as it lies.
  Status Add(const DeviceTensor& tensor);

  unsigned tensors() const { return static_cast<unsigned>(entries_.size()); }
  unsigned layouts() const { return static_cast<unsigned>(layouts_.size()); }
  unsigned tiles() const { return tiles_; }
  size_t bytes() const;
  // REQUIRES: bytes() at the target, aligned to 8.
  void Write(std::byte* target) const;

 private:
  const unsigned threads_;
  std::vector<TensorEntry> entries_;
  std::vector<StridedLayout> layouts_;
  std::vector<unsigned> first_tiles_;
  unsigned tiles_ = 0;
};

}  // namespace warden::stats::cuda

#endif  // WARDEN_STATS_CUDA_SUMMARY_TABLE_H_
