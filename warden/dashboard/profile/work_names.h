#ifndef WARDEN_DASHBOARD_PROFILE_WORK_NAMES_H_
#define WARDEN_DASHBOARD_PROFILE_WORK_NAMES_H_

// What the names of kernels and calls say, as PyTorch's and TensorFlow's profilers write them.
// Guesses by words in the name: unknown names get the most general answer, never an error. Used by
// ProfileTally and the GPU panels. Pure functions; results are constants, or parts of the argument.

#include <cstdint>
#include <string>
#include <string_view>

namespace warden::dashboard {

// What a GPU does: a kernel that computes, NCCL and the like, a copy of memory, or filling it.
enum class GpuWork : uint8_t { kKernel, kCommunication, kCopy, kFill };
// kKernel where nothing else is recognized.
GpuWork GpuWorkOf(std::string_view name);

// What the host asks of a GPU: to launch a kernel or graph, or to wait until it is done.
enum class HostCall : uint8_t { kNone, kLaunch, kWait };
// kNone for everything that is not a call of the CUDA or HIP runtime.
HostCall HostCallOf(std::string_view name);

// "Host to device", "Device to host", ... of a copy, "Fill" of a fill; "Other copies" where the
// name does not say. REQUIRES: GpuWorkOf is kCopy or kFill.
std::string_view MemoryOperationOf(std::string_view name);

// "bfloat16", "TF32", "float16", "float32", ...; empty where a kernel's name does not say what it
// computes with.
std::string_view PrecisionOf(std::string_view kernel);

// Names that differ by a counter become one: "step" of "step_12", "ProfilerStep" of
// "ProfilerStep#3". A name of digits only stays as it is. The result is part of the argument.
std::string_view WithoutNumber(std::string_view annotation);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_PROFILE_WORK_NAMES_H_
