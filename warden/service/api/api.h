#ifndef WARDEN_SERVICE_API_API_H_
#define WARDEN_SERVICE_API_API_H_

#include <memory>

#include "warden/service/auth/authenticator.h"
#include "warden/service/db/job_store.h"
#include "warden/service/http/message.h"
#include "warden/service/launch/launcher.h"
#include "warden/service/options.h"
#include "warden/service/supervise/supervisor.h"

namespace warden::service {

// What the operations work on; all outlive the handler.
struct ApiParts {
  const ServiceOptions* options = nullptr;
  const Authenticator* authenticator = nullptr;
  JobStore* store = nullptr;
  Launcher* launcher = nullptr;
  Supervisor* supervisor = nullptr;
};

// Answers "POST /": SageMaker and CloudWatch Logs (JSON, by X-Amz-Target), STS and IAM (forms, by
// Action), as far as clients need them to train.
std::unique_ptr<Handler> MakeApi(const ApiParts& parts);

}  // namespace warden::service

#endif  // WARDEN_SERVICE_API_API_H_
