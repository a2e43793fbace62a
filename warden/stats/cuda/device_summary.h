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

// Statistics of tensors that are in a GPU's memory: only a row of 144 bytes for each travels to the
// host. The Python package launches these on the training's stream; capture reads the rows later
// (capture::Hook::LendSummary).
//
//   const auto gpu = DeviceSummary::Make(0, "");  // Once for each device: compiles.
//   gpu.value()->Launch(data, count, DType::kFloat32, row, scratch, stream);
//   ... copy the row to the host, wait for the copy ...
//   const Summary summary = SummaryFromRow(host_row);

// A Summary as the GPU writes it: its members in their order, each as a double. Counts are exact up
// to 2^53. SummaryFromRow reads kRowDoubles numbers in host memory.
inline constexpr size_t kRowDoubles = 18;
inline constexpr size_t kRowBytes = kRowDoubles * sizeof(double);
Summary SummaryFromRow(const double* row);

// Memory on the GPU that a launch works in, zeroed once before the first launch; each launch leaves
// it ready for the next. Used by one stream at a time.
inline constexpr size_t kScratchBytes = size_t{256} << 10;

// Summarizes tensors where they are, in one pass and one launch each. The result is that of
// stats::Summarize up to rounding, for elements whose squares fit a double. Safe for many threads.
class DeviceSummary {
 public:
  // For one device, by its CUDA number. kUnavailable (no driver, NVRTC too old), kNotFound (no
  // NVRTC), kIo (a CUDA error) or kInvalid (no such device number) say why it cannot be had; the
  // caller then copies tensors to the host instead. compiler: see Driver::Compile.
  static Result<std::unique_ptr<DeviceSummary>> Make(int device, const std::string& compiler);

  // Whether Launch accepts the type: float16, bfloat16, float32, float64.
  static bool Takes(DType dtype);
  // Writes the summary of count > 0 elements to row, in the order of the stream: returns at once,
  // and data, row (kRowBytes) and scratch (kScratchBytes) must stay until the stream has come so
  // far. All three are on this device and aligned to their elements. kInvalidType for a type that
  // it does not take, kIo with the number of the CUDA error.
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
