#ifndef WARDEN_SAGEMAKER_OPERATIONS_API_PARTS_H_
#define WARDEN_SAGEMAKER_OPERATIONS_API_PARTS_H_

#include "warden/auth/authenticator.h"
#include "warden/jobs/db/job_store.h"
#include "warden/jobs/launch/launcher.h"
#include "warden/jobs/supervise/supervisor.h"
#include "warden/service/options.h"

namespace warden::sagemaker {

// What the operations work on; all outlive the handler.
struct ApiParts {
  const service::ServiceOptions* options = nullptr;
  const auth::Authenticator* authenticator = nullptr;
  jobs::JobStore* store = nullptr;
  jobs::Launcher* launcher = nullptr;
  jobs::Supervisor* supervisor = nullptr;
};

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_OPERATIONS_API_PARTS_H_
