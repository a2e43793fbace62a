#ifndef WARDEN_SERVICE_EXEC_EXEC_H_
#define WARDEN_SERVICE_EXEC_EXEC_H_

#include <memory>

#include "warden/service/auth/authenticator.h"
#include "warden/service/db/job_store.h"
#include "warden/service/http/message.h"
#include "warden/service/options.h"

namespace warden::service {

// Answers "GET /-/exec?job=NAME&host=algo-1" with a WebSocket to a shell in the job's environment,
// if the job allows it (RemoteDebugConfig) and the key may (Scope::kExec). Every session is kept in
// the host's log: who, when, what was typed. The arguments outlive it.
std::unique_ptr<Handler> MakeExec(const ServiceOptions* options, const Authenticator* authenticator,
                                  JobStore* store);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_EXEC_EXEC_H_
