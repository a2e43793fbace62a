#ifndef WARDEN_JOBS_EVENTS_DELIVERY_H_
#define WARDEN_JOBS_EVENTS_DELIVERY_H_

// Events to the receivers that the user configured. The service makes one, before it listens:
//
//   auto delivery = OpenDelivery(options, store.get());
//   auto server = http::Server::Start(listening, router.get());
//   delivery.value()->Start(server.value()->address());

#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/jobs/events/courier.h"

namespace warden::jobs {

// Sends events to all receivers, each on its own thread, so that none waits for another. Ends with
// the object; the next one continues where this one was.
class EventDelivery {
 public:
  virtual ~EventDelivery() = default;
  // Begins; call it once. address: how this service is reached, "http://127.0.0.1:8080", for
  // commands. Separate from OpenDelivery since the port is known only after the service listens.
  virtual void Start(const std::string& address) = 0;
};

// To the receivers of LoadReceivers, with the mail settings of options.actions_file. Events from
// here on wait for Start. Errors are those of LoadReceivers and of actions::LoadSettings. It
// registers with the store (JobStore::OnEvent); store is not owned and outlives it.
Result<std::unique_ptr<EventDelivery>> OpenDelivery(const service::ServiceOptions& options,
                                                    JobStore* store,
                                                    const CourierPatience& patience = {});

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_DELIVERY_H_
