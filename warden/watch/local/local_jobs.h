#ifndef WARDEN_WATCH_LOCAL_LOCAL_JOBS_H_
#define WARDEN_WATCH_LOCAL_LOCAL_JOBS_H_

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/actions/action.h"
#include "warden/service/options.h"
#include "warden/watch/local/watched_job.h"

namespace warden::watch {

// The trainings on this machine that `warden run` started. Stops them with all their child
// processes. Of this user only, by job_registry.h. Safe for many threads; Stop blocks until the
// training has ended.
class LocalJobs : public actions::JobControl {
 public:
  // grace: between asking a training to stop and killing it. stop_others: asks its processes on
  // other machines, before those of this one; a failure is logged. Empty: there are none.
  explicit LocalJobs(std::chrono::milliseconds grace, std::function<Status()> stop_others = {})
      : grace_(grace), stop_others_(std::move(stop_others)) {}

  std::vector<std::string> RunningJobs() override;
  // kNotFound if there is no such job, or more than one: none is touched then. SIGTERM to all of
  // its processes, and SIGKILL after the grace period; errors of os::StopProcessTree.
  Status Stop(const std::string& job, std::string_view reason) override;

  // Whether Stop has stopped a job. Set before the training is asked, so that whoever waits for its
  // end knows why it ended.
  bool stopped_any() const { return stopped_any_; }

  // The job that writes to this run's folder; where none is registered, one by the folder's name.
  static WatchedJob JobOf(const std::string& run);

  // For the dashboard: which runs are active here, and stopping them. The functions may be called
  // from any thread and refer to nothing.
  static service::LocalRuns ForDashboard(std::chrono::milliseconds grace);

 private:
  const std::chrono::milliseconds grace_;
  const std::function<Status()> stop_others_;
  std::atomic<bool> stopped_any_ = false;
};

}  // namespace warden::watch

#endif  // WARDEN_WATCH_LOCAL_LOCAL_JOBS_H_
