#ifndef WARDEN_JOBS_SUPERVISE_PATIENT_STORE_H_
#define WARDEN_JOBS_SUPERVISE_PATIENT_STORE_H_

// For the threads of jobs: a database that fails for a while (a full disk) delays a job, but does
// not fail it.
//
//   store.Change(name, [](TrainingJob* job) {
//     if (job->status != JobStatus::kInProgress) return false;  // Somebody was faster.
//     Enter(job, SecondaryStatus::kUploading, "", Now());
//     return true;
//   });

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "warden/jobs/db/job_store.h"

namespace warden::jobs {

// The store, for those who cannot continue without it: errors are logged and tried again, with
// pauses of 50 ms to 5 s, until it works or it is time to leave. For one thread.
class PatientStore {
 public:
  // store is not owned and outlives it. leave: a stop ends all waiting.
  PatientStore(JobStore* store, std::stop_token leave) : store_(store), leave_(std::move(leave)) {}

  // Nothing: the job does not exist (any more), or it is time to leave.
  std::optional<TrainingJob> Get(const std::string& name);
  // change gets the job as it is now, and returns whether it still wants to change it: whatever
  // came in between stays. It may be called several times, under the store's lock
  // (JobStore::Change). Returns the job as it is then, changed or not; nothing: as Get.
  std::optional<TrainingJob> Change(const std::string& name,
                                    const std::function<bool(TrainingJob*)>& change);

 private:
  // True: try again.
  bool Pause(const Status& status, const std::string& name);

  JobStore* const store_;
  const std::stop_token leave_;
  std::chrono::milliseconds pause_{0};  // The last one, since it failed first.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_PATIENT_STORE_H_
