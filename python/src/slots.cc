#include "python/src/slots.h"

#include <dlfcn.h>

#include <string>
#include <utility>

namespace warden::python {
namespace {

// The few functions that we need of CUDA's driver, found at run time: there may be none.
struct Driver {
  int (*retain_context)(void** context, int device) = nullptr;
  int (*set_context)(void* context) = nullptr;
  int (*wait_for_event)(void* event) = nullptr;
};

const Driver* FindDriver() {
  static const Driver driver = [] {
    Driver found;
    void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return found;
    found.retain_context =
        reinterpret_cast<int (*)(void**, int)>(dlsym(library, "cuDevicePrimaryCtxRetain"));
    found.set_context = reinterpret_cast<int (*)(void*)>(dlsym(library, "cuCtxSetCurrent"));
    found.wait_for_event = reinterpret_cast<int (*)(void*)>(dlsym(library, "cuEventSynchronize"));
    return found;
  }();
  const bool whole = driver.retain_context != nullptr && driver.set_context != nullptr &&
                     driver.wait_for_event != nullptr;
  return whole ? &driver : nullptr;
}

Status WaitForEvent(int device, uint64_t event) {
  const Driver* driver = FindDriver();
  if (driver == nullptr) return Status(Code::kUnavailable, "CUDA's driver is not to be found");
  thread_local int current_device = -1;
  if (current_device != device) {
    void* context = nullptr;
    int error = driver->retain_context(&context, device);
    if (error == 0) error = driver->set_context(context);
    if (error != 0) return Status(Code::kIo, "CUDA error " + std::to_string(error));
    current_device = device;
  }
  const int error = driver->wait_for_event(reinterpret_cast<void*>(event));
  if (error == 0) return Status();
  return Status(Code::kIo, "waiting for the GPU: CUDA error " + std::to_string(error));
}

class SlotLender final : public capture::Lender {
 public:
  SlotLender(std::shared_ptr<ReturnedSlots> returned, int slot, int device, uint64_t event)
      : returned_(std::move(returned)), slot_(slot), device_(device), event_(event) {}
  ~SlotLender() override { returned_->Push(slot_); }

  Status Wait() override {
    if (ready_) return Status();
    const Status status = WaitForEvent(device_, event_);
    ready_ = status.ok();
    return status;
  }

 private:
  const std::shared_ptr<ReturnedSlots> returned_;
  const int slot_;
  const int device_;
  const uint64_t event_;
  bool ready_ = false;  // Of the writer's thread.
};

}  // namespace

void ReturnedSlots::Push(int slot) {
  {
    const std::lock_guard lock(mutex_);
    slots_.push_back(slot);
  }
  pushed_.notify_one();
}

std::vector<int> ReturnedSlots::Take(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  if (timeout.count() > 0) pushed_.wait_for(lock, timeout, [this] { return !slots_.empty(); });
  return std::exchange(slots_, {});
}

std::shared_ptr<capture::Lender> LendSlot(std::shared_ptr<ReturnedSlots> returned, int slot,
                                          int device, uint64_t event) {
  return std::make_shared<SlotLender>(std::move(returned), slot, device, event);
}

}  // namespace warden::python
