#include "warden/watch/background_watch.h"

#include <filesystem>
#include <utility>

namespace warden::watch {

BackgroundWatch::BackgroundWatch(BackgroundTask task, std::string run, WatchListener* listener)
    : task_(std::move(task)),
      run_(std::move(run)),
      listener_(listener),
      jobs_(task_.alarms.grace(), task_.stop_others) {}

void BackgroundWatch::Start(pid_t pid) {
  if (task_.rules.empty()) return;
  const std::string name = std::filesystem::path(run_).filename().string();
  if (auto entry = JobEntry::Add(name, pid, run_); entry.ok()) {
    entry_.emplace(std::move(entry.value()));
  } else if (task_.alarms.wanted()) {
    listener_->Problem(entry.status().message() + ": rules will not be able to stop this job");
  }
  WatchTask task{LocalJobs::JobOf(run_),  std::move(task_.rules), &task_.alarms, &jobs_,
                 task_.profiler,          task_.report,           task_.command,
                 /*only_stop_ends=*/true, task_.xgboost_report};
  // Signals that are passed on to the training are blocked in this thread too.
  thread_ = std::thread([this, task = std::move(task)]() mutable {
    watched_ = WatchRun(std::move(task), [this] { return over_.load(); }, listener_);
  });
}

void BackgroundWatch::Finish() {
  if (!thread_.joinable()) return;
  over_ = true;
  thread_.join();
  task_.alarms.Finish(listener_);
  entry_.reset();
}

}  // namespace warden::watch
