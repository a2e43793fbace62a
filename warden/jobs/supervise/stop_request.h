#ifndef WARDEN_JOBS_SUPERVISE_STOP_REQUEST_H_
#define WARDEN_JOBS_SUPERVISE_STOP_REQUEST_H_

// How a job is stopped early: by StopTrainingJob, by an action of a rule, or when its time is over.

#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Asks for the job to be ended early. For use within JobStore::Change; wake the supervisor
// afterwards. The first cause counts. False, and nothing changes: it is over or stopping already.
inline bool RequestStop(TrainingJob* job, StopCause cause, Time now) {
  if (job->status != JobStatus::kInProgress) return false;
  job->stop_cause = cause;
  Enter(job, SecondaryStatus::kStopping, "Stopping the training job", now);
  return true;
}

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_STOP_REQUEST_H_
