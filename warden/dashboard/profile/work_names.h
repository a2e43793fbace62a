#ifndef WARDEN_DASHBOARD_PROFILE_WORK_NAMES_H_
#define WARDEN_DASHBOARD_PROFILE_WORK_NAMES_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace warden::dashboard {

// What the names of works tell, as PyTorch's and TensorFlow's profilers write them.

// What a GPU does.
enum class GpuWork : uint8_t { kKernel, kCommunication, kCopy, kFill };
GpuWork GpuWorkOf(std::string_view name);

// What the host asks of a GPU.
enum class HostCall : uint8_t { kNone, kLaunch, kWait };
HostCall HostCallOf(std::string_view name);

// "Host to device", ... of a copy or a fill.
std::string_view MemoryOperationOf(std::string_view name);

// "16-bit float", ...; empty where a kernel's name does not say what it computes with.
std::string_view PrecisionOf(std::string_view kernel);

// Names that only count are one: "step" of "step_12", "ProfilerStep" of "ProfilerStep#3".
std::string_view WithoutNumber(std::string_view annotation);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_PROFILE_WORK_NAMES_H_
