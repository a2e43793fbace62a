#ifndef WARDEN_SERVICE_SUPERVISE_LIVE_EVENTS_H_
#define WARDEN_SERVICE_SUPERVISE_LIVE_EVENTS_H_

#include <memory>

#include "warden/service/auth/authenticator.h"
#include "warden/service/db/job_store.h"
#include "warden/service/http/message.h"

namespace warden::service {

// Answers "GET /-/events?after=N" (Scope::kRead) with server-sent events: what happened after the
// event of that number, as far as it is kept, then what happens. Each has its number as its id, so
// that a client that was cut off goes on where it was (Last-Event-ID, which wins). Without either
// it begins with what happens next. One thread serves all clients. The arguments outlive it.
std::unique_ptr<Handler> MakeLiveEvents(JobStore* store, const Authenticator* authenticator);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_SUPERVISE_LIVE_EVENTS_H_
