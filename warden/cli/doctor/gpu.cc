#include <dlfcn.h>
#include <fmt/format.h>

#include <memory>

#include "warden/cli/doctor/checks.h"

namespace warden::cli {
namespace {

constexpr char kAdvice[] = "if this machine has an NVIDIA GPU, install its driver";

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

template <class Function>
Function* Find(const Library& library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library.get(), name));
}

void CheckCuda(Checks* checks) {
  const Library cuda(dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL));
  if (!cuda) {
    checks->push_back({"CUDA driver", Health::kMissing,
                       "libcuda.so.1 not found: statistics are computed on the CPU", kAdvice});
    return;
  }
  int version = 0;
  auto* get_version = Find<int(int*)>(cuda, "cuDriverGetVersion");
  if (get_version == nullptr || get_version(&version) != 0) {
    checks->push_back({"CUDA driver", Health::kBroken, "libcuda.so.1 does not respond",
                       "reinstall the driver; check that it matches the kernel"});
    return;
  }
  checks->push_back({"CUDA driver", Health::kOk,
                     fmt::format("supports CUDA {}.{}", version / 1000, version % 1000 / 10), ""});
}

void CheckNvml(Checks* checks) {
  const Library nvml(dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL));
  if (!nvml) {
    checks->push_back(
        {"NVML", Health::kMissing, "libnvidia-ml.so.1 not found: GPUs are not monitored", kAdvice});
    return;
  }
  auto* init = Find<int()>(nvml, "nvmlInit_v2");
  auto* count = Find<int(unsigned*)>(nvml, "nvmlDeviceGetCount_v2");
  auto* shutdown = Find<int()>(nvml, "nvmlShutdown");
  unsigned devices = 0;
  const bool works = init != nullptr && count != nullptr && shutdown != nullptr && init() == 0;
  const bool counted = works && count(&devices) == 0;
  if (works) shutdown();
  if (counted) {
    checks->push_back({"NVML", Health::kOk,
                       fmt::format("can monitor {} GPU{}", devices, devices == 1 ? "" : "s"), ""});
  } else {
    checks->push_back({"NVML", Health::kBroken, "libnvidia-ml.so.1 does not respond",
                       "load the driver's kernel module; nvidia-smi shows details"});
  }
}

}  // namespace

void CheckGpu(Checks* checks) {
  CheckCuda(checks);
  CheckNvml(checks);
}

}  // namespace warden::cli
