#include "warden/dashboard/profile/work_names.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>

#include "warden/base/strings.h"

namespace warden::dashboard {
namespace {

bool HasAny(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

bool IsLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Whether it is there with neither letter nor digit on both sides: "double" of "<double, 4>".
bool HasWord(std::string_view text, std::string_view word) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
    const bool begins = at == 0 || !IsLetter(text[at - 1]);
    const size_t end = at + word.size();
    if (begins && (end == text.size() || !IsLetter(text[end]))) return true;
  }
  return false;
}

bool HasAnyWord(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return HasWord(text, word); });
}

}  // namespace

GpuWork GpuWorkOf(std::string_view name) {
  const std::string text = LowerAscii(name);
  if (HasAny(text, {"memcpy"})) return GpuWork::kCopy;
  if (HasAny(text, {"memset"})) return GpuWork::kFill;
  if (HasAny(text, {"nccl", "rccl", "allreduce", "allgather", "reducescatter"})) {
    return GpuWork::kCommunication;
  }
  return GpuWork::kKernel;
}

HostCall HostCallOf(std::string_view name) {
  const bool runtime =
      name.starts_with("cuda") || name.starts_with("cu") || name.starts_with("hip");
  if (!runtime) return HostCall::kNone;
  if (HasAny(name, {"LaunchKernel", "LaunchCooperativeKernel", "GraphLaunch"})) {
    return HostCall::kLaunch;
  }
  return HasAny(name, {"Synchronize", "StreamWaitEvent"}) ? HostCall::kWait : HostCall::kNone;
}

std::string_view MemoryOperationOf(std::string_view name) {
  const std::string text = LowerAscii(name);
  if (HasAny(text, {"memset"})) return "Fill";
  if (HasAny(text, {"htod", "h2d"})) return "Host to device";
  if (HasAny(text, {"dtoh", "d2h"})) return "Device to host";
  if (HasAny(text, {"dtod", "d2d"})) return "Within a device";
  if (HasAny(text, {"ptop", "p2p"})) return "Device to device";
  return "Other copies";
}

std::string_view PrecisionOf(std::string_view kernel) {
  const std::string text = LowerAscii(kernel);
  // What computes in one type and adds up in another is called by both; the first is what counts.
  if (HasAny(text, {"bf16", "bfloat16"})) return "bfloat16";
  if (HasAny(text, {"tf32", "s1688gemm"})) return "TF32";
  if (HasAny(text, {"fp16", "h884", "h1688", "h16816", "hgemm", "hmma"}) ||
      HasAnyWord(text, {"half", "__half", "f16", "hh"}) || HasAny(text, {"_f16", "f16f16"})) {
    return "float16";
  }
  if (HasAny(text, {"int8", "imma", "igemm", "_s8", "i8i8"}) || HasAnyWord(text, {"s8", "u8"})) {
    return "int8";
  }
  if (HasAny(text, {"fp64", "dgemm", "d884", "_f64"}) || HasAnyWord(text, {"double", "f64"})) {
    return "float64";
  }
  if (HasAny(text, {"fp32", "sgemm", "scudnn", "_f32", "f32f32"}) ||
      HasAnyWord(text, {"float", "f32"})) {
    return "float32";
  }
  if (HasAnyWord(text, {"int", "long", "int32", "int64"})) return "int32 and int64";
  return "";
}

std::string_view WithoutNumber(std::string_view annotation) {
  const size_t last = annotation.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == annotation.size()) return annotation;
  const size_t end = annotation.substr(0, last + 1).find_last_not_of("_#-: ");
  return end == std::string_view::npos ? annotation : annotation.substr(0, end + 1);
}

}  // namespace warden::dashboard
