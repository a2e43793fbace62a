#ifndef WARDEN_JOBS_SUPERVISE_SUPERVISOR_H_
#define WARDEN_JOBS_SUPERVISE_SUPERVISOR_H_

// The entrance of this part. The service starts one Supervisor; the API changes jobs in the store
// and wakes it:
//
//   auto supervisor = StartSupervisor(options, store.get(), launcher.get());
//   store->Create(job, invocation);
//   supervisor.value()->Wake(job.name);

#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/jobs/db/job_store.h"
#include "warden/jobs/launch/launcher.h"
#include "warden/service/options.h"

namespace warden::jobs {

// Brings every job of the store to its end: starts its hosts and rules, follows them, acts on what
// rules find, and keeps the store up to date. What others want of a job (stop it, stop a rule,
// change its profiling) they write into the store, and wake the supervisor.
//
// Nothing depends on its memory: killed at any moment, the next one continues where it was.
class Supervisor {
 public:
  virtual ~Supervisor() = default;  // Jobs continue without it.
  // Tells it that the job is new or was changed in the store. Returns at once; for any thread. A
  // lost call costs 2 s at most for a job that is being followed, but a new job would wait for the
  // next start.
  virtual void Wake(const std::string& job) = 0;
};

// Starts with what the store says is unfinished. options are copied; store and launcher are not
// owned and outlive it. Errors are those of actions::LoadSettings(options.actions_file): kNotFound,
// kIo, kInvalid or kInvalidType.
Result<std::unique_ptr<Supervisor>> StartSupervisor(const service::ServiceOptions& options,
                                                    JobStore* store, Launcher* launcher);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_SUPERVISOR_H_
