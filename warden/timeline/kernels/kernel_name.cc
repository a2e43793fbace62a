#include "warden/timeline/kernels/kernel_name.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace warden::timeline {
namespace {

using KindWord = std::pair<std::string_view, KernelKind>;

// The first that occurs in a name in lower case counts.
constexpr KindWord kKindWords[] = {
    {"nccl", KernelKind::kCommunication},
    {"allreduce", KernelKind::kCommunication},
    {"all_reduce", KernelKind::kCommunication},
    {"nvshmem", KernelKind::kCommunication},
    {"flash", KernelKind::kAttention},
    {"fmha", KernelKind::kAttention},
    {"attention", KernelKind::kAttention},
    {"sdpa", KernelKind::kAttention},
    {"conv1d", KernelKind::kConvolution},
    {"conv2d", KernelKind::kConvolution},
    {"conv3d", KernelKind::kConvolution},
    {"convolution", KernelKind::kConvolution},
    {"convolve", KernelKind::kConvolution},
    {"implicit_gemm", KernelKind::kConvolution},
    {"winograd", KernelKind::kConvolution},
    {"dgrad", KernelKind::kConvolution},
    {"wgrad", KernelKind::kConvolution},
    {"fprop", KernelKind::kConvolution},
    {"multi_tensor_apply", KernelKind::kOptimizer},
    {"adam", KernelKind::kOptimizer},
    {"gemm", KernelKind::kMatmul},
    {"gemv", KernelKind::kMatmul},
    {"cutlass", KernelKind::kMatmul},
    {"nvjet", KernelKind::kMatmul},
    {"matmul", KernelKind::kMatmul},
    {"splitk", KernelKind::kMatmul},
    {"triton_tem", KernelKind::kMatmul},
    {"softmax", KernelKind::kLoss},
    {"nll_loss", KernelKind::kLoss},
    {"cross_entropy", KernelKind::kLoss},
    {"norm", KernelKind::kNormalization},
    {"bn_fw", KernelKind::kNormalization},
    {"bn_bw", KernelKind::kNormalization},
    {"triton_red", KernelKind::kReduction},
    {"triton_per", KernelKind::kReduction},
    {"reduce", KernelKind::kReduction},
    {"embedding", KernelKind::kIndexing},
    {"index", KernelKind::kIndexing},
    {"gather", KernelKind::kIndexing},
    {"scatter", KernelKind::kIndexing},
    {"sort", KernelKind::kIndexing},
    {"elementwise", KernelKind::kElementwise},
    {"triton_poi", KernelKind::kElementwise},
    {"vectorized", KernelKind::kElementwise},
    {"copy", KernelKind::kElementwise},
    {"fill", KernelKind::kElementwise},
    {"dropout", KernelKind::kElementwise},
};

// The same for precisions, the narrowest first: what is read counts, not what is summed up in.
constexpr std::pair<std::string_view, Precision> kPrecisionWords[] = {
    {"e4m3", Precision::kFp8},      {"e5m2", Precision::kFp8},     {"fp8", Precision::kFp8},
    {"float8", Precision::kFp8},    {"nvjet_q", Precision::kFp8},  {"bf16", Precision::kBf16},
    {"bfloat16", Precision::kBf16}, {"nvjet_t", Precision::kBf16}, {"fp16", Precision::kFp16},
    {"f16", Precision::kFp16},      {"half", Precision::kFp16},    {"hgemm", Precision::kFp16},
    {"h16816", Precision::kFp16},   {"nvjet_h", Precision::kFp16}, {"tf32", Precision::kTf32},
    {"int8", Precision::kInt8},     {"i8i8", Precision::kInt8},    {"imma", Precision::kInt8},
    {"double", Precision::kFp64},   {"dgemm", Precision::kFp64},   {"f64", Precision::kFp64},
    {"float", Precision::kFp32},    {"sgemm", Precision::kFp32},   {"f32", Precision::kFp32},
    {"fp32", Precision::kFp32},     {"nvjet_s", Precision::kFp32},
};

// Instructions and families of kernels that use tensor cores.
constexpr std::string_view kTensorCoreWords[] = {"tensorop", "16816", "1688",   "884",  "hmma",
                                                 "wgmma",    "nvjet", "xmma",   "tf32", "flash",
                                                 "gmma",     "imma",  "s161616"};

bool Has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

}  // namespace

KernelTraits GuessKernel(std::string_view name) {
  // The rest of a long name is arguments of templates.
  constexpr size_t kEnough = 1024;
  std::string text(name.substr(0, kEnough));
  for (char& letter : text) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  KernelTraits traits;
  for (const auto& [word, kind] : kKindWords) {
    if (!Has(text, word)) continue;
    traits.kind = kind;
    break;
  }
  for (const auto& [word, precision] : kPrecisionWords) {
    if (!Has(text, word)) continue;
    traits.precision = precision;
    break;
  }
  const bool multiplies = traits.kind == KernelKind::kMatmul ||
                          traits.kind == KernelKind::kConvolution ||
                          traits.kind == KernelKind::kAttention;
  traits.tensor_cores =
      multiplies && std::any_of(std::begin(kTensorCoreWords), std::end(kTensorCoreWords),
                                [&](std::string_view word) { return Has(text, word); });
  return traits;
}

std::string_view KernelKindName(KernelKind kind) {
  switch (kind) {
    case KernelKind::kMatmul: return "matmul";
    case KernelKind::kConvolution: return "convolution";
    case KernelKind::kAttention: return "attention";
    case KernelKind::kCommunication: return "communication";
    case KernelKind::kNormalization: return "normalization";
    case KernelKind::kLoss: return "softmax and loss";
    case KernelKind::kReduction: return "reduction";
    case KernelKind::kOptimizer: return "optimizer";
    case KernelKind::kIndexing: return "indexing";
    case KernelKind::kElementwise: return "elementwise";
    case KernelKind::kOther: return "other";
  }
  return "";
}

std::string_view PrecisionName(Precision precision) {
  switch (precision) {
    case Precision::kFp8: return "fp8";
    case Precision::kInt8: return "int8";
    case Precision::kFp16: return "fp16";
    case Precision::kBf16: return "bf16";
    case Precision::kTf32: return "tf32";
    case Precision::kFp32: return "fp32";
    case Precision::kFp64: return "fp64";
    case Precision::kUnknown: return "unknown";
  }
  return "";
}

}  // namespace warden::timeline
