#ifndef WARDEN_JOBS_EVENTS_EVENT_MEMBERS_H_
#define WARDEN_JOBS_EVENTS_EVENT_MEMBERS_H_

// Reads events, whatever they contain: texts come on one line, fit for headers and variables, and
// are empty if they are missing. Used by the senders.

#include <string>

#include "warden/base/json_fwd.h"

namespace warden::jobs {

// A member such as "id" or "detail-type".
std::string TextIn(const Json& object, const char* name);
// The name of the training job, also in the event of a rule; empty if there is none.
std::string JobOf(const Json& event);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_EVENT_MEMBERS_H_
