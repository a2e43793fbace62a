#ifndef WARDEN_STATS_CUDA_DEVICE_SUMMARY_H_
#define WARDEN_STATS_CUDA_DEVICE_SUMMARY_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "warden/base/dtype.h"
#include "warden/base/status.h"
#include "warden/stats/cuda/driver.h"
#include "warden/stats/summary.h"

namespace warden::stats::cuda {

// A Summary as the GPU writes it: its members in their order, each as a double.
inline constexpr size_t kRowDoubles = 18;
inline constexpr size_t kRowBytes = kRowDoubles * sizeof(double);
Summary SummaryFromRow(const double* row);

// Memory on the GPU that a launch works in, zeroed once before the first; of one stream at a time.
inline constexpr size_t kScratchBytes = size_t{256} << 10;

// Summarises tensors where they are, in one pass and one launch each.
class DeviceSummary {
 public:
  // For one device. kUnavailable, kNotFound or kIo say why it cannot be had; compiler: see
  // Driver::Compile.
  static Result<std::unique_ptr<DeviceSummary>> Make(int device, const std::string& compiler);

  // float16, bfloat16, float32, float64.
  static bool Takes(DType dtype);
  // Writes the summary of count > 0 elements to row, in the order of the stream.
  Status Launch(Address data, uint64_t count, DType dtype, Address row, Address scratch,
                Stream stream) const;

 private:
  DeviceSummary(const Driver* driver, int device) : driver_(driver), device_(device) {}

  const Driver* const driver_;
  const int device_;
  std::array<Function, 4> kernels_ = {};
};

}  // namespace warden::stats::cuda

#endif  // WARDEN_STATS_CUDA_DEVICE_SUMMARY_H_
