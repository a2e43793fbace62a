#ifndef WARDEN_JOBS_EXEC_EXEC_HANDLER_H_
#define WARDEN_JOBS_EXEC_EXEC_HANDLER_H_

// Shells in running jobs: the service's side of `warden exec`. The connection is a WebSocket;
// Session (shell_session.h) runs the shell.

#include <memory>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"
#include "warden/jobs/db/job_store.h"
#include "warden/service/options.h"

namespace warden::jobs {

// Returns a handler for "GET /-/exec?job=NAME&host=algo-1" that opens a WebSocket to a shell in the
// job's environment (protocol.h), if the job allows it (RemoteDebugConfig), is training, and the
// key may (Scope::kExec). More of the query: word=... (repeated: a command instead of a shell),
// columns, rows, term. Errors are JSON: 400, 403, 404 (job or host), 409 (not allowed now), 426,
// 503 (32 shells are open).
//
// Every session is recorded in the host's log: who, when, from where, what was typed. Sessions end
// when the job no longer allows them, and with the handler. Nothing is owned; all arguments outlive
// it.
std::unique_ptr<http::Handler> MakeExec(const service::ServiceOptions* options,
                                        const auth::Authenticator* authenticator, JobStore* store);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_EXEC_HANDLER_H_
