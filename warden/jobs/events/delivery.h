#ifndef WARDEN_JOBS_EVENTS_DELIVERY_H_
#define WARDEN_JOBS_EVENTS_DELIVERY_H_

#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/jobs/events/courier.h"

namespace warden::jobs {

// Tells all receivers of what happens, each on a thread of its own, so that none waits for another.
// Ends with the object; the next one goes on where this one was.
class EventDelivery {
 public:
  virtual ~EventDelivery() = default;
  // Begins, once. address: how this service is reached, "http://127.0.0.1:8080", which commands are
  // told; it may be known only after the service is there to be spoken to.
  virtual void Start(const std::string& address) = 0;
};

// To the receivers of LoadReceivers, by the settings of options.actions_file. What happens from
// here on waits for Start. kInvalid if either file is not understood. store outlives it.
Result<std::unique_ptr<EventDelivery>> OpenDelivery(const service::ServiceOptions& options,
                                                    JobStore* store,
                                                    const CourierPatience& patience = {});

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_DELIVERY_H_
