#ifndef WARDEN_JOBS_EVENTS_EVENT_MEMBERS_H_
#define WARDEN_JOBS_EVENTS_EVENT_MEMBERS_H_

#include <string>

#include "warden/base/json_fwd.h"

namespace warden::jobs {

// Reading events, whatever they hold. Texts come on one line, fit for headers and variables; empty
// if they are not there.

// "id", "detail-type".
std::string TextIn(const Json& object, const char* name);
// The training job's name, also in the event of a rule.
std::string JobOf(const Json& event);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EVENTS_EVENT_MEMBERS_H_
