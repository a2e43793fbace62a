#ifndef WARDEN_JOBS_SUPERVISE_STORED_JOBS_H_
#define WARDEN_JOBS_SUPERVISE_STORED_JOBS_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/actions/action.h"
#include "warden/jobs/db/job_store.h"

namespace warden::jobs {

// The jobs of the store, for actions that stop them: as StopTrainingJob does.
class StoredJobs : public actions::JobControl {
 public:
  // wake: told of each job that is to end. store outlives it.
  StoredJobs(JobStore* store, std::function<void(const std::string&)> wake)
      : store_(store), wake_(std::move(wake)) {}

  std::vector<std::string> RunningJobs() override;
  // Returns when the store knows that it is to end: nothing can be lost from then on.
  Status Stop(const std::string& job, std::string_view reason) override;

 private:
  JobStore* const store_;
  const std::function<void(const std::string&)> wake_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_STORED_JOBS_H_
