#ifndef WARDEN_JOBS_EXEC_EXEC_H_
#define WARDEN_JOBS_EXEC_EXEC_H_

#include <memory>

#include "warden/auth/authenticator.h"
#include "warden/http/message.h"
#include "warden/jobs/db/job_store.h"
#include "warden/service/options.h"

namespace warden::jobs {

// Answers "GET /-/exec?job=NAME&host=algo-1" with a WebSocket to a shell in the job's environment,
// if the job allows it (RemoteDebugConfig) and the key may (Scope::kExec). Every session is kept in
// the host's log: who, when, what was typed. The arguments outlive it.
std::unique_ptr<http::Handler> MakeExec(const service::ServiceOptions* options,
                                        const auth::Authenticator* authenticator, JobStore* store);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_EXEC_EXEC_H_
