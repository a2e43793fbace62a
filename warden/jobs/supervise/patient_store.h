#ifndef WARDEN_JOBS_SUPERVISE_PATIENT_STORE_H_
#define WARDEN_JOBS_SUPERVISE_PATIENT_STORE_H_

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "warden/jobs/db/job_store.h"

namespace warden::jobs {

// The store, for those who cannot go on without it: what fails is told in the log and tried again,
// with pauses, until it works or it is time to leave. For one thread.
class PatientStore {
 public:
  // store outlives it.
  PatientStore(JobStore* store, std::stop_token leave) : store_(store), leave_(std::move(leave)) {}

  // Nothing: there is no such job any more, or it is time to leave.
  std::optional<TrainingJob> Get(const std::string& name);
  // change sees the job as it is now, and returns whether it still wants to change it: whatever
  // came in between stays. Returns the job as it is then, changed or not; nothing: as Get.
  std::optional<TrainingJob> Change(const std::string& name,
                                    const std::function<bool(TrainingJob*)>& change);

 private:
  // True: it is worth to try again.
  bool Pause(const Status& status, const std::string& name);

  JobStore* const store_;
  const std::stop_token leave_;
  std::chrono::milliseconds pause_{0};  // The last one, since it failed first.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_PATIENT_STORE_H_
