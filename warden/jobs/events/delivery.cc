#include "warden/jobs/events/delivery.h"

#include <thread>
#include <utility>
#include <vector>

#include "warden/actions/settings.h"
#include "warden/os/blocked_signals.h"

namespace warden::jobs {
namespace {

class Couriers : public EventDelivery {
 public:
  Couriers(std::vector<Receiver> receivers, JobStore* store, const CourierPatience& patience) {
    for (Receiver& receiver : receivers) {
      couriers_.push_back(std::make_unique<Courier>(std::move(receiver), store, patience));
    }
  }

  void Start(const std::string& address) override {
    const os::BlockedSignals blocked;
    for (const auto& courier : couriers_) {
      courier->ServiceIsAt(address);
      threads_.emplace_back(
          [courier = courier.get()](const std::stop_token& stop) { courier->Run(stop); });
    }
  }

  ~Couriers() override {
    // All at once, so that their last tries are waited for together.
    for (std::jthread& thread : threads_) thread.request_stop();
  }

 private:
  std::vector<std::unique_ptr<Courier>> couriers_;
  std::vector<std::jthread> threads_;  // Last: they use the couriers.
};

}  // namespace

Result<std::unique_ptr<EventDelivery>> OpenDelivery(const service::ServiceOptions& options,
                                                    JobStore* store,
                                                    const CourierPatience& patience) {
  const auto settings = actions::LoadSettings(options.actions_file);
  if (!settings.ok()) return settings.status();
  auto receivers = LoadReceivers(options, settings.value().smtp, store);
  if (!receivers.ok()) return receivers.status();
  return std::unique_ptr<EventDelivery>(
      std::make_unique<Couriers>(std::move(receivers).value(), store, patience));
}

}  // namespace warden::jobs
