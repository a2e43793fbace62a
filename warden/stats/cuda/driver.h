#ifndef WARDEN_STATS_CUDA_DRIVER_H_
#define WARDEN_STATS_CUDA_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "warden/base/status.h"

namespace warden::stats::cuda {

// CUDA without linking against it: for statistics on the GPU (device_summary.h) and for waiting on
// the training's copies.

// CUDA's own handles, as other libraries hand them out. Nothing here owns or frees one.
using Stream = uint64_t;
using Event = uint64_t;
using Address = uint64_t;  // Of memory on the GPU.
using Module = void*;
using Function = void*;

// The few functions that we need of CUDA's driver and of its compiler, found when the program runs:
// the same binary works where there is no GPU. All act in the primary context of a device, which is
// the one that PyTorch and the CUDA runtime use, and leave the thread's own context as it was.
// Safe for many threads. Errors of CUDA are kIo with their number; a device number outside of 0 to
// 63 is kInvalid.
//
//   const Driver* driver = Driver::Get();
//   if (driver != nullptr && driver->Wait(0, event).ok()) ... the memory may be read ...
class Driver {
 public:
  // The process's, loaded at the first call; null if there is no usable driver. Lives for good.
  static const Driver* Get();

  // Returns when everything before the event has been done. Blocks the thread until then.
  Status Wait(int device, Event event) const;
  // Copies between addresses on the GPU, in the order of the stream: returns before it is done.
  Status CopyOnDevice(int device, Address target, Address source, size_t bytes,
                      Stream stream) const;

  // Compiles CUDA C++ for the device and loads it. compiler: path of NVRTC's library, or empty to
  // use one that is loaded already or known to the system; one that cannot be loaded from the path
  // is looked for there, too. The module stays for good: compile once. kNotFound without NVRTC,
  // kUnavailable if it is too old; a compile error is kIo and has the compiler's log.
  Result<Module> Compile(int device, const std::string& source, const std::string& compiler) const;
  // The kernel of that name, declared extern "C". Valid as long as the module.
  Result<Function> Find(Module module, const char* function) const;
  struct Grid {
    unsigned blocks = 1;
    unsigned threads = 1;
  };
  // Starts a kernel, in the order of the stream. arguments: one pointer for each, read before this
  // returns; not checked against the kernel's parameters.
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
