#ifndef WARDEN_STATS_CUDA_DRIVER_H_
#define WARDEN_STATS_CUDA_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "warden/base/status.h"

namespace warden::stats::cuda {

// CUDA without linking against it: for statistics on the GPU (device_summaries.h) and for waiting
// on the training's copies.

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

  // From pinned memory, which must not change until the copy is done.
  Status CopyToDevice(int device, Address target, const void* source, size_t bytes,
                      Stream stream) const;
  // Sets bytes on the GPU to 0, in the order of the stream.
  Status Zero(int device, Address target, size_t bytes, Stream stream) const;

  // Host memory that copies in a stream can use. Free returns it; nothing may use it any more.
  Result<void*> AllocatePinned(int device, size_t bytes) const;
  void FreePinned(int device, void* memory) const;
  // An event, done until it is recorded. DestroyEvent ends it.
  Result<Event> MakeEvent(int device) const;
  void DestroyEvent(int device, Event event) const;
  // The event is done when the stream has come so far.
  Status Record(int device, Event event, Stream stream) const;
  bool IsDone(int device, Event event) const;

  // The input of Compile. All names and texts are valid UTF-8.
  struct Header {
    std::string name;  // As in #include.
    std::string text;
  };
  struct Program {
    std::string source;
    std::span<const Header> headers;
    std::span<const std::string> flags;
    std::string compiler;
  };
  // Compiles CUDA C++ for the device and loads it. program.compiler: path of NVRTC's library, or
  // empty to use one that is loaded already or known to the system; one that cannot be loaded from
  // the path is looked for there, too. The module stays for good: compile once. kNotFound without
  // NVRTC, kUnavailable if it is too old; a compile error is kIo and has the compiler's log.
  Result<Module> Compile(int device, const Program& program) const;
  // The kernel of that name, declared extern "C". Valid as long as the module.
  Result<Function> Find(Module module, const char* function) const;
  // How many blocks of so many threads the whole device can run at a time; at least 1.
  Result<unsigned> ResidentBlocks(int device, Function function, unsigned threads) const;
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
  int (*event_query_)(void*) = nullptr;
  int (*event_create_)(void**, unsigned) = nullptr;
  int (*event_destroy_)(void*) = nullptr;
  int (*event_record_)(void*, void*) = nullptr;
  int (*host_allocate_)(void**, size_t, unsigned) = nullptr;
  int (*host_free_)(void*) = nullptr;
  int (*copy_)(Address, Address, size_t, void*) = nullptr;
  int (*copy_to_device_)(Address, const void*, size_t, void*) = nullptr;
  int (*set_)(Address, unsigned char, size_t, void*) = nullptr;
  int (*occupancy_)(int*, Function, int, size_t) = nullptr;
  int (*module_load_)(Module*, const void*) = nullptr;
  int (*module_function_)(Function*, Module, const char*) = nullptr;
  int (*launch_)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                 void*, void**, void**) = nullptr;
  bool whole_ = false;
};

}  // namespace warden::stats::cuda

#endif  // WARDEN_STATS_CUDA_DRIVER_H_
