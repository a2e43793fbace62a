#include "python/src/slots.h"

#include <utility>

#include "warden/stats/cuda/driver.h"

namespace warden::python {
namespace {

class SlotLender final : public capture::Lender {
 public:
  SlotLender(std::shared_ptr<ReturnedSlots> returned, int slot, int device, uint64_t event)
      : returned_(std::move(returned)), slot_(slot), device_(device), event_(event) {}
  ~SlotLender() override { returned_->Push(slot_); }

  Status Wait() override {
    if (ready_) return Status();
    const auto* driver = stats::cuda::Driver::Get();
    if (driver == nullptr) return Status(Code::kUnavailable, "no CUDA driver found");
    const Status status = driver->Wait(device_, event_);
    ready_ = status.ok();
    return status;
  }

 private:
  const std::shared_ptr<ReturnedSlots> returned_;
  const int slot_;
  const int device_;
  const uint64_t event_;
  bool ready_ = false;  // Used by the writer thread only.
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
