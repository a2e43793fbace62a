#include "warden/stats/cuda/device_summary.h"

#include <algorithm>
#include <utility>

#include "warden/stats/cuda/summary_kernel.h"

namespace warden::stats::cuda {
namespace {

constexpr unsigned kThreads = 256;  // As the kernel has it.
// What a thread should find to do before there is another block.
constexpr uint64_t kElementsPerThread = 8;
// Enough to fill the largest GPU; their parts, of 16 doubles, fit the scratch memory.
constexpr uint64_t kMostBlocks = 1024;
static_assert(kMostBlocks * 16 * sizeof(double) + 16 <= kScratchBytes);

constexpr std::array<std::pair<DType, const char*>, 4> kKernels = {{
    {DType::kFloat32, "SummarizeFloat32"},
    {DType::kFloat64, "SummarizeFloat64"},
    {DType::kFloat16, "SummarizeFloat16"},
    {DType::kBFloat16, "SummarizeBFloat16"},
}};

size_t KernelFor(DType dtype) {
  const auto found = std::find_if(kKernels.begin(), kKernels.end(),
                                  [&](const auto& kernel) { return kernel.first == dtype; });
  return static_cast<size_t>(found - kKernels.begin());
}

}  // namespace

Summary SummaryFromRow(const double* row) {
  const auto number = [&](size_t i) { return static_cast<uint64_t>(row[i]); };
  Summary s;
  s.count = number(0);
  s.nan_count = number(1);
  s.pos_inf_count = number(2);
  s.neg_inf_count = number(3);
  s.zero_count = number(4);
  s.negative_count = number(5);
  s.min = row[6];
  s.max = row[7];
  s.abs_min = row[8];
  s.abs_max = row[9];
  s.sum = row[10];
  s.abs_sum = row[11];
  s.sum_squares = row[12];
  s.l2 = row[13];
  s.mean = row[14];
  s.m2 = row[15];
  s.abs_m2 = row[16];
  s.prod = row[17];
  return s;
}

Result<std::unique_ptr<DeviceSummary>> DeviceSummary::Make(int device,
                                                           const std::string& compiler) {
  const Driver* driver = Driver::Get();
  if (driver == nullptr) return Status(Code::kUnavailable, "no CUDA driver found");
  const auto module = driver->Compile(device, kSummaryKernel, compiler);
  if (!module.ok()) return module.status();
  std::unique_ptr<DeviceSummary> made(new DeviceSummary(driver, device));
  for (size_t i = 0; i < kKernels.size(); ++i) {
    const auto function = driver->Find(module.value(), kKernels[i].second);
    if (!function.ok()) return function.status();
    made->kernels_[i] = function.value();
  }
  return made;
}

bool DeviceSummary::Takes(DType dtype) { return KernelFor(dtype) < kKernels.size(); }

Status DeviceSummary::Launch(Address data, uint64_t count, DType dtype, Address row,
                             Address scratch, Stream stream) const {
  if (!Takes(dtype)) return Status(Code::kInvalidType, "expected a floating-point type");
  const uint64_t share = kThreads * kElementsPerThread;
  const uint64_t blocks = std::clamp<uint64_t>((count + share - 1) / share, 1, kMostBlocks);
  std::array<void*, 4> arguments = {&data, &count, &row, &scratch};
  return driver_->Launch(device_, kernels_[KernelFor(dtype)],
                         {static_cast<unsigned>(blocks), kThreads}, arguments.data(), stream);
}

}  // namespace warden::stats::cuda
