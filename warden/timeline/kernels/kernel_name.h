#ifndef WARDEN_TIMELINE_KERNELS_KERNEL_NAME_H_
#define WARDEN_TIMELINE_KERNELS_KERNEL_NAME_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warden::timeline {

// What the name of a kernel tells about it. All of it is a guess: names follow habits, not rules.
// Pure functions, safe for many threads.

enum class KernelKind : uint8_t {
  kMatmul,
  kConvolution,
  kAttention,
  kCommunication,
  kNormalization,
  kLoss,  // Softmax and losses.
  kReduction,
  kOptimizer,
  kIndexing,
  kElementwise,
  kOther,
};
inline constexpr size_t kKernelKinds = 11;

enum class Precision : uint8_t { kFp8, kInt8, kFp16, kBf16, kTf32, kFp32, kFp64, kUnknown };
inline constexpr size_t kPrecisions = 8;

struct KernelTraits {
  KernelKind kind = KernelKind::kOther;
  // Of the values that it reads: "ampere_bf16_s16816gemm_bf16_...", "nvjet_hsh_...".
  Precision precision = Precision::kUnknown;
  // Whether it is one that tensor cores work for.
  bool tensor_cores = false;
};

// name: demangled, or as it is.
KernelTraits GuessKernel(std::string_view name);

// "matmul", "bf16"; valid for the life of the process.
std::string_view KernelKindName(KernelKind kind);
std::string_view PrecisionName(Precision precision);

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_KERNELS_KERNEL_NAME_H_
