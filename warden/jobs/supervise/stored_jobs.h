#ifndef WARDEN_JOBS_SUPERVISE_STORED_JOBS_H_
#define WARDEN_JOBS_SUPERVISE_STORED_JOBS_H_

// Between actions (actions/), which know jobs by name only, and the store.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/actions/action.h"
#include "warden/jobs/db/job_store.h"

namespace warden::jobs {

// The jobs of the store, for actions that stop them: as StopTrainingJob does. Safe for many
// threads. Blocks on the disk for a moment, never for the training.
class StoredJobs : public actions::JobControl {
 public:
  // wake: called with each job that is to end (Supervisor::Wake). store is not owned and outlives
  // it.
  StoredJobs(JobStore* store, std::function<void(const std::string&)> wake)
      : store_(store), wake_(std::move(wake)) {}

  // The names of jobs in progress; those that could be read, if the store fails.
  std::vector<std::string> RunningJobs() override;
  // Returns when the store has recorded that it is to end: from then on the request cannot be lost.
  // Ok also if it has ended or is ending. kUnavailable if the store fails: trying again may help.
  // reason: for the service's log only; the job's record says that it was stopped.
  Status Stop(const std::string& job, std::string_view reason) override;

 private:
  JobStore* const store_;
  const std::function<void(const std::string&)> wake_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_STORED_JOBS_H_
