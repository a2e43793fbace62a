#ifndef WARDEN_STATS_CUDA_DRIVER_H_
#define WARDEN_STATS_CUDA_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "warden/base/status.h"

namespace warden::stats::cuda {

// CUDA's own handles, as other libraries hand them out.
using Stream = uint64_t;
using Event = uint64_t;
using Address = uint64_t;  // Of memory on the GPU.
using Module = void*;
using Function = void*;

// The few functions that we need of CUDA's driver and of its compiler, found when the program runs:
// the same binary works where there is no GPU. All act in the primary context of a device, which is
// the one that PyTorch and the CUDA runtime use, and leave the thread's own context as it was.
// Safe for many threads.
class Driver {
 public:
  // The process's; null if there is no driver.
  static const Driver* Get();

  // Returns when the event has come.
  Status Wait(int device, Event event) const;
  // Copies between addresses on the GPU, in the order of the stream.
  Status CopyOnDevice(int device, Address target, Address source, size_t bytes,
                      Stream stream) const;

  // Compiles CUDA C++ for the device and loads it. compiler: path of NVRTC's library, or empty to
  // use one that is loaded already or known to the system. The module stays for good.
  Result<Module> Compile(int device, const std::string& source, const std::string& compiler) const;
  Result<Function> Find(Module module, const char* function) const;
  struct Grid {
    unsigned blocks = 1;
    unsigned threads = 1;
  };
  // arguments: one pointer for each.
  Status Launch(int device, Function function, Grid grid, void** arguments, Stream stream) const;

 private:
  class Current;  // A device's context, for as long as it lives.

  static Driver Load();

  int (*init_)(unsigned) = nullptr;
  int (*device_get_)(int*, int) = nullptr;
  int (*device_attribute_)(int*, int, int) = nullptr;
  int (*context_retain_)(void**, int) = nullptr;
  int (*context_push_)(void*) = nullptr;
  int (*context_pop_)(void**) = nullptr;
  int (*event_synchronize_)(void*) = nullptr;
  int (*copy_)(Address, Address, size_t, void*) = nullptr;
  int (*module_load_)(Module*, const void*) = nullptr;
  int (*module_function_)(Function*, Module, const char*) = nullptr;
  int (*launch_)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                 void*, void**, void**) = nullptr;
  bool whole_ = false;
};

}  // namespace warden::stats::cuda

#endif  // WARDEN_STATS_CUDA_DRIVER_H_
