#ifndef WARDEN_JOBS_SUPERVISE_STOP_REQUEST_H_
#define WARDEN_JOBS_SUPERVISE_STOP_REQUEST_H_

#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Asks for the job to come to an early end, to be used in a change of the store. False: it is over,
// or comes to an end already.
inline bool RequestStop(TrainingJob* job, StopCause cause, Time now) {
  if (job->status != JobStatus::kInProgress) return false;
  job->stop_cause = cause;
  Enter(job, SecondaryStatus::kStopping, "Stopping the training job", now);
  return true;
}

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_STOP_REQUEST_H_
