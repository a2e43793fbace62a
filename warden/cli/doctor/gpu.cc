#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "warden/base/strings.h"
#include "warden/capture/kernels/cupti.h"
#include "warden/cli/doctor/checks.h"
#include "warden/cli/doctor/subprocess.h"

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

// Where NVIDIA's packages for Python have CUPTI, as trainings look for it; empty if they do not.
std::string CuptiOfPackages() {
  if (const char* chosen = std::getenv("TENSORWARDEN_CUPTI"); chosen != nullptr) return chosen;
  constexpr char kScript[] = R"(
import os, sys
for name in ('cu13/lib/libcupti.so.13', 'cuda_cupti/lib/libcupti.so.13', 'cuda_cupti/lib/libcupti.so.12'):
    for folder in sys.path:
        path = os.path.join(folder, 'nvidia', name)
        if os.path.isfile(path): sys.exit(print(path))
)";
  constexpr std::chrono::milliseconds kPatience{5000};
  const auto output = OutputOf({"python3", "-c", kScript}, kPatience);
  const auto lines = output.ok() ? SplitTrimmed(output.value(), '\n') : std::vector<std::string>();
  return lines.empty() ? "" : lines.front();
}

void CheckCupti(Checks* checks) {
  const auto library = capture::cupti::Library::Open(CuptiOfPackages());
  if (!library.ok()) {
    const bool missing = library.status().code() == Code::kNotFound;
    checks->push_back({"CUPTI", missing ? Health::kMissing : Health::kBroken,
                       library.status().message() + ": kernels cannot be recorded",
                       missing ? "install PyTorch with CUDA, or the CUDA toolkit"
                               : "install CUPTI of CUDA 12 or 13; TENSORWARDEN_CUPTI can name it"});
    return;
  }
  const capture::cupti::Library& cupti = *library.value();
  void* subscriber = nullptr;
  const auto nothing = [](void*, int, uint32_t, const void*) {};
  const int result = cupti.call().subscribe(&subscriber, nothing, nullptr);
  if (result == capture::cupti::kSuccess) {
    (void)cupti.call().unsubscribe(subscriber);
    checks->push_back(
        {"CUPTI", Health::kOk, fmt::format("can record kernels ({})", cupti.VersionText()), ""});
    return;
  }
  checks->push_back({"CUPTI", Health::kMissing,
                     fmt::format("found ({}), but cannot record kernels: {}", cupti.VersionText(),
                                 cupti.ErrorText(result)),
                     kAdvice});
}

}  // namespace

void CheckGpu(Checks* checks) {
  CheckCuda(checks);
  CheckNvml(checks);
  CheckCupti(checks);
}

}  // namespace warden::cli
