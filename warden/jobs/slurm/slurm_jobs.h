#ifndef WARDEN_JOBS_SLURM_SLURM_JOBS_H_
#define WARDEN_JOBS_SLURM_SLURM_JOBS_H_

// The service's jobs in Slurm: of the hosts of a training job, or of one of its rules. Each has a
// folder that keeps its record (slurm_record.h), script and output.

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/agent/agent.h"
#include "warden/jobs/record/job.h"
#include "warden/jobs/slurm/slurm_config.h"
#include "warden/jobs/slurm/slurm_queue.h"
#include "warden/jobs/slurm/slurm_script.h"

namespace warden::jobs {

// Submits, finds and cancels them. Safe for many threads, but for one folder one call at a time.
class SlurmJobs {
 public:
  // limits: the longest time of jobs of each partition that has one, in minutes; "" is the default
  // partition's. grace: between SIGTERM and SIGKILL of a training.
  SlurmJobs(std::map<std::string, int64_t> limits, std::chrono::seconds grace)
      : limits_(std::move(limits)), grace_(grace) {}

  // Submits a job, unless one was for its folder, perhaps by an earlier service. label: of its name
  // in Slurm, which this completes. prepare: writes what the job reads; called right before.
  // kUnavailable if Slurm refuses or does not answer, kIo.
  Status SubmitOnce(SlurmSubmission submission, const std::string& label, const std::string& script,
                    const std::function<Status()>& prepare);
  // As of at most a second ago, and after its submission.
  SlurmQueue::Answer Find(const std::string& id);
  // Whether an agent may have reported its end without our having seen it.
  bool MayReportLate(const std::string& id, const SlurmQueue::Answer& answer);

  // The limit of a job that lasts as long as the training, in minutes: never above the partition's,
  // which would keep it in the queue forever. Nothing: Slurm's.
  std::optional<int64_t> MinutesFor(const TrainingJob& job, const SlurmQueueOptions& queue) const;

  // Runs scancel with these words. An error is logged.
  static void Cancel(std::vector<std::string> words);
  // Writes the spec that the agent reads. kIo.
  static Status WriteSpec(const AgentLaunch& launch);

 private:
  using Clock = std::chrono::steady_clock;

  Status Submit(const SlurmSubmission& submission, const std::string& script);

  const std::map<std::string, int64_t> limits_;
  const std::chrono::seconds grace_;
  SlurmQueue queue_;
  std::mutex mutex_;
  std::map<std::string, Clock::time_point> submitted_;  // Under mutex_: by this service, by ID.
  std::map<std::string, Clock::time_point> completed_;  // Under mutex_: first seen, by ID.
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SLURM_SLURM_JOBS_H_
