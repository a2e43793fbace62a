#ifndef WARDEN_MONITOR_VISIBLE_GPUS_H_
#define WARDEN_MONITOR_VISIBLE_GPUS_H_

#include <string>
#include <vector>

namespace warden::monitor {

// A GPU as the driver knows it.
struct GpuIdentity {
  bool opens = false;  // False: this process may not use it, or it fell off the bus.
  std::string uuid;    // "GPU-8f6d..."; empty: not known.
  std::string model;   // "NVIDIA H200".
};

// What the environment says of the GPUs that a job may use; empty: nothing.
struct GpuEnvironment {
  const char* cuda_visible_devices = nullptr;
  const char* nvidia_visible_devices = nullptr;
  const char* cuda_device_order = nullptr;

  // That of this process.
  static GpuEnvironment Current();
};

// The numbers of the GPUs that a job in this environment can use, ascending: those that open and
// that the variables name. As CUDA does, it takes the names of CUDA_VISIBLE_DEVICES up to the first
// that is none. What cannot be understood hides nothing: a number that the driver does not have, or
// numbers of different models, which CUDA counts in another order; a part of a GPU (MIG). The
// numbers of NVIDIA_VISIBLE_DEVICES are those of another machine's view, the container's host, so
// that only its UUIDs count.
std::vector<unsigned> VisibleGpus(const std::vector<GpuIdentity>& gpus,
                                  const GpuEnvironment& environment);

}  // namespace warden::monitor

#endif  // WARDEN_MONITOR_VISIBLE_GPUS_H_
