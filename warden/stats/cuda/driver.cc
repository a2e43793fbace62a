#include "warden/stats/cuda/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

namespace warden::stats::cuda {
namespace {

constexpr size_t kMostDevices = 64;
// CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR.
constexpr int kMajorAttribute = 75;
constexpr int kMinorAttribute = 76;
constexpr int kMultiprocessorsAttribute = 16;
constexpr unsigned kNoTiming = 2;  // CU_EVENT_DISABLE_TIMING.

template <class F>
bool Load(void* library, const char* name, F* function) {
  *function = reinterpret_cast<F>(dlsym(library, name));
  return *function != nullptr;
}

Status Check(int error, const char* what) {
  if (error == 0) return Status();
  return Status(Code::kIo, fmt::format("{}: CUDA error {}", what, error));
}

// NVRTC, CUDA's compiler as a library.
struct Compiler {
  void* library = nullptr;
  int (*create)(void**, const char*, const char*, int, const char* const*,
                const char* const*) = nullptr;
  int (*compile)(void*, int, const char* const*) = nullptr;
  int (*code_size)(void*, size_t*) = nullptr;
  int (*code)(void*, char*) = nullptr;
  int (*log_size)(void*, size_t*) = nullptr;
  int (*log)(void*, char*) = nullptr;
  int (*destroy)(void**) = nullptr;
};

Result<Compiler> LoadCompiler(const std::string& path) {
  Compiler nvrtc;
  if (!path.empty()) nvrtc.library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"}) {
    if (nvrtc.library == nullptr) nvrtc.library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  }
  if (nvrtc.library == nullptr) return Status(Code::kNotFound, "cannot find the NVRTC library");
  const bool whole = Load(nvrtc.library, "nvrtcCreateProgram", &nvrtc.create) &&
                     Load(nvrtc.library, "nvrtcCompileProgram", &nvrtc.compile) &&
                     Load(nvrtc.library, "nvrtcGetCUBINSize", &nvrtc.code_size) &&
                     Load(nvrtc.library, "nvrtcGetCUBIN", &nvrtc.code) &&
                     Load(nvrtc.library, "nvrtcGetProgramLogSize", &nvrtc.log_size) &&
                     Load(nvrtc.library, "nvrtcGetProgramLog", &nvrtc.log) &&
                     Load(nvrtc.library, "nvrtcDestroyProgram", &nvrtc.destroy);
  if (!whole) return Status(Code::kUnavailable, "the NVRTC library is too old");
  return nvrtc;
}

Result<std::vector<char>> CompileFor(const Compiler& nvrtc, const Driver::Program& what, int major,
                                     int minor) {
  std::vector<const char*> names;
  std::vector<const char*> texts;
  for (const Driver::Header& header : what.headers) {
    names.push_back(header.name.c_str());
    texts.push_back(header.text.c_str());
  }
  void* program = nullptr;
  Status made = Check(nvrtc.create(&program, what.source.c_str(), "tensorwarden.cu",
                                   static_cast<int>(names.size()), texts.data(), names.data()),
                      "cannot prepare the GPU code");
  if (!made.ok()) return made;
  const std::string target = fmt::format("--gpu-architecture=sm_{}{}", major, minor);
  std::vector<const char*> options = {target.c_str(), "--std=c++17"};
  for (const std::string& flag : what.flags) options.push_back(flag.c_str());
  Status done =
      Check(nvrtc.compile(program, static_cast<int>(options.size()), options.data()), "compiling");
  std::vector<char> code;
  if (done.ok()) {
    size_t size = 0;
    done = Check(nvrtc.code_size(program, &size), "compiling");
    code.resize(size);
    if (done.ok()) done = Check(nvrtc.code(program, code.data()), "compiling");
  } else {
    size_t size = 0;
    std::string log;
    if (nvrtc.log_size(program, &size) == 0) {
      log.resize(size);
      nvrtc.log(program, log.data());
    }
    done = Status(done.code(), done.message() + ": " + log);
  }
  nvrtc.destroy(&program);
  if (!done.ok()) return done;
  return code;
}

}  // namespace

class Driver::Current {
 public:
  Current(const Driver* driver, int device) : driver_(driver) {
    // Retained once for each device and never released: the process that uses the GPU keeps it.
    static std::array<std::atomic<void*>, kMostDevices> contexts;
    if (device < 0 || static_cast<size_t>(device) >= kMostDevices) {
      status_ = Status(Code::kInvalid, fmt::format("no CUDA device {}", device));
      return;
    }
    std::atomic<void*>& known = contexts[static_cast<size_t>(device)];
    void* context = known.load(std::memory_order_acquire);
    if (context == nullptr) {
      int handle = 0;
      status_ = Check(driver->device_get_(&handle, device), "cannot find the GPU");
      if (status_.ok()) {
        status_ = Check(driver->context_retain_(&context, handle), "cannot use the GPU");
      }
      if (!status_.ok()) return;
      known.store(context, std::memory_order_release);
    }
    status_ = Check(driver->context_push_(context), "cannot use the GPU");
    pushed_ = status_.ok();
  }
  ~Current() {
    void* context = nullptr;
    if (pushed_) driver_->context_pop_(&context);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

  const Status& status() const { return status_; }

 private:
  const Driver* const driver_;
  Status status_;
  bool pushed_ = false;
};

Driver Driver::Load() {
  Driver driver;
  void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return driver;
  const auto load = [&](const char* name, auto* function) {
    return cuda::Load(library, name, function);
  };
  driver.whole_ =
      load("cuInit", &driver.init_) && load("cuDeviceGet", &driver.device_get_) &&
      load("cuDeviceGetAttribute", &driver.device_attribute_) &&
      load("cuDevicePrimaryCtxRetain", &driver.context_retain_) &&
      load("cuCtxPushCurrent_v2", &driver.context_push_) &&
      load("cuCtxPopCurrent_v2", &driver.context_pop_) &&
      load("cuEventSynchronize", &driver.event_synchronize_) &&
      load("cuEventQuery", &driver.event_query_) && load("cuEventCreate", &driver.event_create_) &&
      load("cuEventDestroy_v2", &driver.event_destroy_) &&
      load("cuEventRecord", &driver.event_record_) &&
      load("cuMemHostAlloc", &driver.host_allocate_) && load("cuMemFreeHost", &driver.host_free_) &&
      load("cuMemcpyDtoDAsync_v2", &driver.copy_) &&
      load("cuMemcpyHtoDAsync_v2", &driver.copy_to_device_) &&
      load("cuMemsetD8Async", &driver.set_) &&
      load("cuOccupancyMaxActiveBlocksPerMultiprocessor", &driver.occupancy_) &&
      load("cuModuleLoadData", &driver.module_load_) &&
      load("cuModuleGetFunction", &driver.module_function_) &&
      load("cuLaunchKernel", &driver.launch_) && driver.init_(0) == 0;
  return driver;
}

const Driver* Driver::Get() {
  static const Driver driver = Load();
  return driver.whole_ ? &driver : nullptr;
}

Status Driver::Wait(int device, Event event) const {
  const Current current(this, device);
  if (!current.status().ok()) return current.status();
  return Check(event_synchronize_(reinterpret_cast<void*>(event)), "cannot wait for the GPU");
}

Status Driver::CopyOnDevice(int device, Address target, Address source, size_t bytes,
                            Stream stream) const {
  const Current current(this, device);
  if (!current.status().ok()) return current.status();
  return Check(copy_(target, source, bytes, reinterpret_cast<void*>(stream)), "copying");
}

Status Driver::CopyToDevice(int device, Address target, const void* source, size_t bytes,
                            Stream stream) const {
  const Current current(this, device);
  if (!current.status().ok()) return current.status();
  return Check(copy_to_device_(target, source, bytes, reinterpret_cast<void*>(stream)), "copying");
}

Status Driver::Zero(int device, Address target, size_t bytes, Stream stream) const {
  const Current current(this, device);
  if (!current.status().ok()) return current.status();
  return Check(set_(target, 0, bytes, reinterpret_cast<void*>(stream)), "clearing memory");
}

Result<void*> Driver::AllocatePinned(int device, size_t bytes) const {
  const Current current(this, device);
  if (!current.status().ok()) return current.status();
  void* memory = nullptr;
  const Status made = Check(host_allocate_(&memory, bytes, 0), "cannot allocate pinned memory");
  if (!made.ok()) return made;
  return memory;
}

void Driver::FreePinned(int device, void* memory) const {
  const Current current(this, device);
  if (current.status().ok()) host_free_(memory);
}

Result<Event> Driver::MakeEvent(int device) const {
  const Current current(this, device);
  if (!current.status().ok()) return current.status();
  void* event = nullptr;
  const Status made = Check(event_create_(&event, kNoTiming), "cannot make an event");
  if (!made.ok()) return made;
  return reinterpret_cast<Event>(event);
}

void Driver::DestroyEvent(int device, Event event) const {
  const Current current(this, device);
  if (current.status().ok()) event_destroy_(reinterpret_cast<void*>(event));
}

Status Driver::Record(int device, Event event, Stream stream) const {
  const Current current(this, device);
  if (!current.status().ok()) return current.status();
  return Check(event_record_(reinterpret_cast<void*>(event), reinterpret_cast<void*>(stream)),
               "cannot record an event");
}

bool Driver::IsDone(int device, Event event) const {
  const Current current(this, device);
  return current.status().ok() && event_query_(reinterpret_cast<void*>(event)) == 0;
}

Result<Module> Driver::Compile(int device, const Program& program) const {
  const Current current(this, device);
  if (!current.status().ok()) return current.status();
  const auto nvrtc = LoadCompiler(program.compiler);
  if (!nvrtc.ok()) return nvrtc.status();
  int handle = 0;
  int major = 0;
  int minor = 0;
  if (device_get_(&handle, device) != 0 ||
      device_attribute_(&major, kMajorAttribute, handle) != 0 ||
      device_attribute_(&minor, kMinorAttribute, handle) != 0) {
    return Status(Code::kIo, "cannot read the GPU's compute capability");
  }
  const auto code = CompileFor(nvrtc.value(), program, major, minor);
  if (!code.ok()) return code.status();
  Module module = nullptr;
  const Status loaded =
      Check(module_load_(&module, code.value().data()), "cannot load the GPU code");
  if (!loaded.ok()) return loaded;
  return module;
}

Result<Function> Driver::Find(Module module, const char* function) const {
  Function found = nullptr;
  const Status status = Check(module_function_(&found, module, function), function);
  if (!status.ok()) return status;
  return found;
}

Result<unsigned> Driver::ResidentBlocks(int device, Function function, unsigned threads) const {
  const Current current(this, device);
  if (!current.status().ok()) return current.status();
  int handle = 0;
  int multiprocessors = 0;
  int blocks = 0;
  Status found = Check(device_get_(&handle, device), "cannot find the GPU");
  if (found.ok()) {
    found = Check(device_attribute_(&multiprocessors, kMultiprocessorsAttribute, handle),
                  "cannot read the GPU's size");
  }
  if (found.ok()) {
    found = Check(occupancy_(&blocks, function, static_cast<int>(threads), 0),
                  "cannot read the GPU's size");
  }
  if (!found.ok()) return found;
  return static_cast<unsigned>(std::max(1, multiprocessors * blocks));
}

Status Driver::Launch(int device, Function function, Grid grid, void** arguments,
                      Stream stream) const {
  const Current current(this, device);
  if (!current.status().ok()) return current.status();
  return Check(launch_(function, grid.blocks, 1, 1, grid.threads, 1, 1, 0,
                       reinterpret_cast<void*>(stream), arguments, nullptr),
               "cannot run on the GPU");
}

}  // namespace warden::stats::cuda
