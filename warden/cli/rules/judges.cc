#include "warden/cli/rules/judges.h"

#include <filesystem>
#include <utility>

#include "warden/cli/text.h"

namespace warden::cli {

Judges::Judges(Judging judging, std::string run, bool talk, RunEvents* events, Output* out)
    : judging_(std::move(judging)),
      run_(std::move(run)),
      talk_(talk),
      events_(events),
      out_(out),
      jobs_(judging_.alarms.grace()) {}

void Judges::Start(pid_t pid) {
  if (judging_.rules.empty()) return;
  const std::string name = std::filesystem::path(run_).filename().string();
  if (auto entry = JobEntry::Add(name, pid, run_); entry.ok()) {
    entry_.emplace(std::move(entry.value()));
  } else if (judging_.alarms.wanted()) {
    out_->Tell(Printable(entry.status().message()) + ": rules will not be able to stop this job");
  }
  WatchTask task{LocalJobs::JobOf(run_),
                 std::move(judging_.rules),
                 &judging_.alarms,
                 &jobs_,
                 events_,
                 talk_ ? LiveDisplay::Progress::kLines : LiveDisplay::Progress::kNone,
                 judging_.profiler,
                 judging_.report,
                 judging_.command,
                 /*only_stop_ends=*/true,
                 judging_.xgboost_report};
  // Signals that are passed on to the training are blocked in this thread too.
  thread_ = std::thread([this, task = std::move(task)]() mutable {
    watched_ = WatchRun(std::move(task), [this] { return over_.load(); }, out_);
  });
}

void Judges::Finish() {
  if (!thread_.joinable()) return;
  over_ = true;
  thread_.join();
  judging_.alarms.Finish(out_);
  entry_.reset();
}

}  // namespace warden::cli
