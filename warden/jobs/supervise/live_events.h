#ifndef WARDEN_JOBS_SUPERVISE_LIVE_EVENTS_H_
#define WARDEN_JOBS_SUPERVISE_LIVE_EVENTS_H_

#include <memory>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"
#include "warden/jobs/db/job_store.h"

namespace warden::jobs {

// Answers "GET /-/events?after=N" (Scope::kRead) with server-sent events: what happened after the
// event of that number, as far as it is kept, then what happens. Each has its number as its id, so
// that a client that was cut off goes on where it was (Last-Event-ID, which wins). Without either
// it begins with what happens next. One thread serves all clients. The arguments outlive it.
std::unique_ptr<http::Handler> MakeLiveEvents(JobStore* store,
                                              const auth::Authenticator* authenticator);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_LIVE_EVENTS_H_
