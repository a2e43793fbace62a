#ifndef WARDEN_JOBS_SUPERVISE_LIVE_EVENTS_H_
#define WARDEN_JOBS_SUPERVISE_LIVE_EVENTS_H_

// Events of jobs for browsers and other clients, as they happen. (Receivers that must not miss any
// are in events/.) What a client gets:
//
//   retry: 2000
//
//   id: 17
//   data: {"version": "0", "detail-type": "SageMaker Training Job State Change", ...}

#include <memory>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"
#include "warden/jobs/db/job_store.h"

namespace warden::jobs {

// Returns a handler for "GET /-/events?after=N" (Scope::kRead) that sends server-sent events: what
// happened after the event of that number, as far as it is kept, then what happens. Each has its
// number as its id, so that a client that was cut off continues where it was (Last-Event-ID, which
// wins over `after`). Without either it begins with what happens next. 400 for a malformed number,
// 403, 405.
//
// One thread serves all clients. It registers with the store (JobStore::OnEvent): make it before
// others use the store. Neither argument is owned; both outlive it.
std::unique_ptr<http::Handler> MakeLiveEvents(JobStore* store,
                                              const auth::Authenticator* authenticator);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_LIVE_EVENTS_H_
