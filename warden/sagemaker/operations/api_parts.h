#ifndef WARDEN_SAGEMAKER_OPERATIONS_API_PARTS_H_
#define WARDEN_SAGEMAKER_OPERATIONS_API_PARTS_H_

// The parts of the service that the API and the dashboard share. Filled by the Daemon.

#include "warden/auth/authenticator.h"
#include "warden/jobs/db/job_store.h"
#include "warden/jobs/launch/launcher.h"
#include "warden/jobs/supervise/supervisor.h"
#include "warden/sagemaker/metrics/job_metrics.h"
#include "warden/service/options.h"

namespace warden::sagemaker {

// What the operations work on. Nothing is owned: all of it outlives the handler. The API needs all
// members; the dashboard of `warden run --open` has no jobs and only the first two
// (daemon/viewer.h). Each of them is safe for many threads, so operations run on any thread of the
// server without a lock of their own.
struct ApiParts {
  const service::ServiceOptions* options = nullptr;    // Never changes.
  const auth::Authenticator* authenticator = nullptr;  // Of all requests.
  jobs::JobStore* store = nullptr;                     // Where jobs are.
  jobs::Launcher* launcher = nullptr;                  // To check and remove jobs.
  jobs::Supervisor* supervisor = nullptr;              // Woken after each change.
  JobMetrics* metrics = nullptr;  // Set by the API itself; without it no metrics are described.
};

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_OPERATIONS_API_PARTS_H_
