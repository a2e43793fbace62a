#include "warden/jobs/supervise/stored_jobs.h"

#include "warden/base/log.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

std::vector<std::string> StoredJobs::RunningJobs() {
  std::vector<std::string> names;
  ListQuery query;
  query.status_equals = NameOf(JobStatus::kInProgress);
  query.limit = 100;
  do {
    const auto page = store_->List(query);
    if (!page.ok()) {
      LogError("cannot list the running jobs: {}", page.status().message());
      break;
    }
    for (const TrainingJob& job : page.value().items) names.push_back(job.name);
    query.next_token = page.value().next_token;
  } while (!query.next_token.empty());
  return names;
}

Status StoredJobs::Stop(const std::string& job, std::string_view reason) {
  bool over = false;
  const auto stopped = store_->Change(job, [&](TrainingJob* now) {
    over = !RequestStop(now, StopCause::kUser, Now());
    return over ? Status(Code::kInvalid, "the job has ended or is ending") : Status();
  });
  if (over) return Status();
  // It may well work a moment later.
  if (!stopped.ok()) return Status(Code::kUnavailable, stopped.status().message());
  LogInfo("stopping job {}: {}", job, reason);
  wake_(job);
  return Status();
}

}  // namespace warden::jobs
