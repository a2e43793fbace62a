#include "warden/dashboard/core/open_run.h"

namespace warden::dashboard {

RunPlaces OpenRun::places() const {
  const std::lock_guard lock(mutex_);
  return places_;
}

void OpenRun::set_places(RunPlaces places) {
  const std::lock_guard lock(mutex_);
  places_ = std::move(places);
}

std::shared_ptr<OpenRun::Slot> OpenRun::SlotOf(std::type_index type) {
  const std::lock_guard lock(mutex_);
  auto& slot = slots_[type];
  if (!slot) slot = std::make_shared<Slot>();
  return slot;
}

}  // namespace warden::dashboard
