#ifndef WARDEN_JOBS_SUPERVISE_SUPERVISOR_H_
#define WARDEN_JOBS_SUPERVISE_SUPERVISOR_H_

#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/jobs/db/job_store.h"
#include "warden/jobs/launch/launcher.h"
#include "warden/service/options.h"

namespace warden::jobs {

// Brings every job of the store to its end: starts its hosts and rules, follows them, acts on what
// rules find, and keeps the store up to date. What others want of a job (stop it, stop a rule,
// profile it otherwise) they write into the store, and wake the supervisor.
//
// Nothing depends on its memory: killed at any moment, the next one goes on where it was.
class Supervisor {
 public:
  virtual ~Supervisor() = default;  // Jobs go on without it.
  // The job is new, or something about it was changed. Returns at once.
  virtual void Wake(const std::string& job) = 0;
};

// Begins with what the store says is unfinished. store and launcher outlive it.
Result<std::unique_ptr<Supervisor>> StartSupervisor(const service::ServiceOptions& options,
                                                    JobStore* store, Launcher* launcher);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_SUPERVISOR_H_
