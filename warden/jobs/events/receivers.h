#ifndef WARDEN_JOBS_EVENTS_RECEIVERS_H_
#define WARDEN_JOBS_EVENTS_RECEIVERS_H_

// Who is sent events about jobs, and how; configured by a file. Courier (courier.h) brings events
// to them. Adding a way to deliver: implement EventSender (senders.h), and read its member in
// receiver_reader.cc.

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

// How events get to one receiver. Used by one thread.
class EventSender {
 public:
  virtual ~EventSender() = default;
  // Tries once; json is the event's body, parsed. Blocks until it is done or a stop is requested.
  // kUnavailable: trying again may help (Attempt says how long to wait at least); other errors: it
  // hardly will.
  virtual actions::Attempt Send(const StoredEvent& event, const Json& json,
                                const std::stop_token& stop) = 0;
  // How this service is reached: "http://127.0.0.1:8080". Called once, before the first Send.
  virtual void ServiceIsAt(const std::string& /*address*/) {}
};

// One receiver.
struct Receiver {
  std::string name;                              // Unique; its cursor in the store has this name.
  std::function<bool(const Json& event)> wants;  // Empty: all events.
  std::unique_ptr<EventSender> sender;           // Never null.
};

// Reads options.events, or DATA/events.json if that exists; no receivers if neither does:
//   {"receivers": [{"name": "...", one of
//      "webhook": URL and perhaps "secret_file": PATH
//      "command": ["program", "argument", ...]
//      "file": PATH
//      "mail": "name@example.com", or a list, which makes a receiver of each address
//    and perhaps "pattern": {...}}, ...]}
// kInvalid names file, receiver and member, and what is accepted; also if options.events cannot be
// read, or "mail" is used without SMTP settings. store is not owned and outlives the receivers.
Result<std::vector<Receiver>> LoadReceivers(const service::ServiceOptions& options,
                                            const actions::SmtpSettings& smtp, JobStore* store);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_RECEIVERS_H_
