#include "warden/watch/local/local_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "warden/base/log.h"
#include "warden/os/process_tree.h"
#include "warden/storage/store.h"
#include "warden/watch/local/job_registry.h"
#include "warden/watch/local/profiling_change.h"

namespace warden::watch {

std::vector<std::string> LocalJobs::RunningJobs() {
  std::vector<std::string> names;
  for (const RunningJob& job : RunningJobsHere()) names.push_back(job.name);
  return names;
}

Status LocalJobs::Stop(const std::string& job, std::string_view /*reason*/) {
  std::vector<RunningJob> jobs = RunningJobsHere();
  std::erase_if(jobs, [&](const RunningJob& running) { return running.name != job; });
  if (jobs.size() != 1) {
    return Status(Code::kNotFound,
                  fmt::format("found {} running jobs named '{}'; stopped none", jobs.size(), job));
  }
  stopped_any_ = true;
  if (stop_others_) {
    const Status others = stop_others_();
    if (!others.ok()) LogWarning("cannot stop the other workers: {}", others.message());
  }
  return os::StopProcessTree(jobs[0].pid, grace_);
}

WatchedJob LocalJobs::JobOf(const std::string& run) {
  // Whoever trains it is on another machine, or writes a folder here that is copied.
  if (storage::IsRemote(run)) {
    const std::string place = run.substr(0, run.find_last_not_of('/') + 1);
    return {place.substr(place.rfind('/') + 1), "", place};
  }
  const std::string folder = RunFromRoot(run);
  if (const auto job = RunningJobIn(run)) return {job->name, std::to_string(job->started), folder};
  return {std::filesystem::path(folder).filename().string(), "", folder};
}

service::LocalRuns LocalJobs::ForDashboard(std::chrono::milliseconds grace) {
  service::LocalRuns runs;
  runs.is_running = [](const std::string& run) { return RunningJobIn(run).has_value(); };
  runs.stop = [grace](const std::string& run) {
    const auto job = RunningJobIn(run);
    if (!job) return Status(Code::kNotFound, "the training is no longer running");
    return os::StopProcessTree(job->pid, grace);
  };
  runs.change_profiling = [](const std::string& run, const Json& change) {
    const auto job = RunningJobIn(run);
    if (!job) return Status(Code::kNotFound, "the training is no longer running");
    const auto file = ProfilerConfigOf(job->pid);
    return file.ok() ? ChangeProfiling(file.value(), change) : file.status();
  };
  return runs;
}

}  // namespace warden::watch
