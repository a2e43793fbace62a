#ifndef WARDEN_JOBS_EVENTS_RECEIVERS_H_
#define WARDEN_JOBS_EVENTS_RECEIVERS_H_

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "warden/actions/action.h"
#include "warden/actions/settings.h"
#include "warden/base/json.h"
#include "warden/jobs/db/job_store.h"
#include "warden/service/options.h"

namespace warden::jobs {

// How events get to one of those who are told of them.
class EventSender {
 public:
  virtual ~EventSender() = default;
  // Tries once; json is the event's body. kUnavailable: trying again may help; other errors: it
  // hardly will.
  virtual actions::Attempt Send(const StoredEvent& event, const Json& json,
                                const std::stop_token& stop) = 0;
  // "http://127.0.0.1:8080": how this service is reached. Told once, before the first Send.
  virtual void ServiceIsAt(const std::string& /*address*/) {}
};

struct Receiver {
  std::string name;
  std::function<bool(const Json& event)> wants;  // Nothing: all events.
  std::unique_ptr<EventSender> sender;
};

// From options.events, or DATA/events.json if that is there; no receivers if there is neither:
//   {"receivers": [{"name": "...", one of
//      "webhook": URL and perhaps "secret_file": PATH
//      "command": ["program", "argument", ...]
//      "file": PATH
//      "mail": "name@example.com", or a list, which makes a receiver of each address
//    and perhaps "pattern": {...}}, ...]}
// kInvalid names file, receiver and member, and what is accepted. store outlives the receivers.
Result<std::vector<Receiver>> LoadReceivers(const service::ServiceOptions& options,
                                            const actions::SmtpSettings& smtp, JobStore* store);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_RECEIVERS_H_
