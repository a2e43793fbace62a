#include "warden/jobs/supervise/job_life.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/base/log.h"
#include "warden/config/json_fields.h"
#include "warden/jobs/db/job_copies.h"
#include "warden/jobs/record/job.h"
#include "warden/jobs/record/short_text.h"
#include "warden/os/pause.h"

namespace warden::jobs {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Secondary = SecondaryStatus;

// Short jobs are over before somebody who waits has looked twice.
constexpr seconds kYoung{20};
constexpr milliseconds kLookYoung{60};
constexpr milliseconds kLook{250};
// Whoever changes a job says so; this is for the case that the word is lost.
constexpr seconds kReload{2};
// One that was told to start may not be seen for a moment.
constexpr seconds kSettle{5};
constexpr int kCollectTries = 3;

// Clients wait for this very text.
constexpr char kTrainingMessage[] = "Training image download completed. Training in progress.";
constexpr char kQueuedMessage[] = "Waiting for nodes";

Json ProfilerConfigOf(const TrainingJob& job) {
  const Json* config = config::Member(job.request, "ProfilerConfig");
  return config == nullptr ? Json(nullptr) : *config;
}

// Where commands of a job run, by what the store has of it.
Result<actions::ExecPlace> PlaceOfCommands(const std::string& name, JobStore* store,
                                           Launcher* launcher) {
  const auto job = store->Get(name);
  if (!job.ok()) return job.status();
  auto place = launcher->PlaceOfCommands(job.value());
  if (!place.ok()) return place.status();
  return actions::ExecPlace{std::move(place.value().prefix), std::move(place.value().environment)};
}

}  // namespace

JobLife::JobLife(std::string name, LifeParts parts, const std::stop_token& leave)
    : name_(std::move(name)),
      parts_(std::move(parts)),
      leave_(leave),
      store_(parts_.store, leave),
      actions_(service::DataLayout(parts_.options->data).Job(name_), parts_.maker,
               [name = name_, store = parts_.store, launcher = parts_.launcher] {
                 return PlaceOfCommands(name, store, launcher);
               }),
      rules_(parts_.options, &store_, parts_.launcher, &actions_, parts_.rule_patience) {}

void JobLife::Run(const std::function<void()>& trained) {
  Reload();
  if (!IsHere()) return trained();
  const Time created = job_->created;
  KeepRecord();
  actions_.Resume();
  Train();
  KeepRecord();
  trained();
  FollowRules();
  KeepRecord();
  while (!leave_.stop_requested() && !actions_.Finish(kLook)) {
    // Whoever deletes a job does not wait for its messages. Another of its name would wait for us.
    Reload();
    if (!IsHere() || job_->created != created) return;
  }
}

void JobLife::Train() {
  // Later, one that is starting waits in a queue.
  if (IsAt(Secondary::kStarting) && !WasTraining()) {
    Step(Secondary::kStarting, Secondary::kDownloading, "Downloading input data", Now());
  }
  if (IsAt(Secondary::kDownloading) && job_->failure_reason.empty()) Download();
  if (IsHere() && !IsOver(job_->status) && WasTraining()) Follow();
  if (IsToRun() && job_->failure_reason.empty()) {
    Step(Secondary::kTraining, Secondary::kUploading, "Uploading generated training model",
         TimeOfEnd());
  }
  if (IsHere() && !IsOver(job_->status) && Collect()) End();
}

void JobLife::Download() {
  if (Status status = parts_.launcher->Prepare(*job_); !status.ok()) {
    Fail("ClientError: " + status.message());
    return;
  }
  applied_ = ProfilerConfigOf(*job_);
  Change([queues = parts_.launcher->Queues(*job_)](TrainingJob* job) {
    if (job->status != JobStatus::kInProgress || job->secondary != Secondary::kDownloading) {
      return false;
    }
    if (queues) {
      Enter(job, Secondary::kStarting, kQueuedMessage, Now());
    } else {
      Enter(job, Secondary::kTraining, kTrainingMessage, Now());
    }
    job->started = Now();
    return true;
  });
}

// Until every host has ended. Rules are started first, so that they see the first step.
void JobLife::Follow() {
  while (IsHere() && rules_.Tend(&*job_)) {
    if (IsOver(job_->status) || LookAtHosts()) return;
    if (IsToRun()) Reconfigure();
    if (IsToRun()) StopWhenTimeIsOver();
    Wait();
  }
  // The job has gone, or it is time to leave; which of the two is all the same.
  job_.reset();
}

// True once none of them runs, nor ever will.
bool JobLife::LookAtHosts() {
  const HostsView hosts = ViewOf(parts_.launcher->Look(*job_));
  if (hosts.all_ended) hosts_ended_ = hosts.ended;
  FollowQueue(hosts);
  if (hosts.timed_out && IsToRun()) {
    Change([time = TimeOfEnd()](TrainingJob* job) {
      return RequestStop(job, StopCause::kMaxRuntime, time);
    });
  }
  if (hosts.all_ended && !hosts.failure) return true;
  if (hosts.failure && IsToRun()) Fail(*hosts.failure);
  if (!IsHere()) return false;
  const bool is_to_end = !IsToRun() || !job_->failure_reason.empty();
  if (!is_to_end) {
    StartHosts(hosts);
    return false;
  }
  if (hosts.all_ended) return true;
  if (!std::exchange(stopping_, true)) parts_.launcher->Stop(*job_, parts_.options->stop_grace);
  // A life before this one may have started one that is not seen yet.
  return !hosts.any_running && Clock::now() - starting_.value_or(born_) > kSettle;
}

void JobLife::FollowQueue(const HostsView& hosts) {
  if (!IsToRun() || !hosts.all_started) return;
  if (hosts.queued) {
    const std::string message = hosts.queued->empty()
                                    ? kQueuedMessage
                                    : fmt::format("{}: {}", kQueuedMessage, *hosts.queued);
    if (IsAt(Secondary::kStarting) && job_->transitions.back().message == message) return;
    Change([&](TrainingJob* job) {
      if (job->status != JobStatus::kInProgress) return false;
      Enter(job, Secondary::kStarting, message, Now());
      return true;
    });
  } else if (IsAt(Secondary::kStarting) && hosts.started) {
    Change([&](TrainingJob* job) {
      if (job->status != JobStatus::kInProgress || job->secondary != Secondary::kStarting) {
        return false;
      }
      // Clocks of nodes may differ from ours.
      const Time start = std::max(job->transitions.back().start, std::min(*hosts.started, Now()));
      const bool again =
          std::any_of(job->transitions.begin(), job->transitions.end(),
                      [](const Transition& each) { return each.status == Secondary::kTraining; });
      Enter(job, Secondary::kTraining, kTrainingMessage, start);
      if (!again) job->started = start;
      return true;
    });
  }
}

void JobLife::StartHosts(const HostsView& hosts) {
  if (hosts.all_started) return;
  if (!starting_) {
    starting_ = Clock::now();
    const Status status = parts_.launcher->Start(*job_);
    if (!status.ok()) Fail("InternalServerError: " + status.message());
  } else if (Clock::now() - *starting_ > parts_.host_start) {
    Fail("InternalServerError: some hosts of the job did not start");
  }
}

void JobLife::Reconfigure() {
  const Json wanted = ProfilerConfigOf(*job_);
  // What an earlier life has told the hosts is not known.
  if (applied_ && *applied_ == wanted) return;
  const Status status = parts_.launcher->Reconfigure(*job_);
  if (status.ok()) {
    applied_ = wanted;
  } else {
    LogError("cannot send the new configuration to job {}: {}", name_, status.message());
  }
}

void JobLife::StopWhenTimeIsOver() {
  const auto longest = job_->LongestRun();
  if (IsAt(Secondary::kStarting)) return;
  if (!longest || !job_->started || Now() - *job_->started < *longest) return;
  Change([](TrainingJob* job) { return RequestStop(job, StopCause::kMaxRuntime, Now()); });
}

bool JobLife::Collect() {
  // What never began to train has no outputs, and nobody reads them.
  if (!WasTraining()) return true;
  for (int left = kCollectTries; left > 0; --left) {
    const Status status = parts_.launcher->Collect(*job_);
    if (status.ok()) return true;
    LogError("cannot collect the outputs of job {}: {}", name_, status.message());
    if (left == 1) {
      Change([&](TrainingJob* job) {
        if (IsOver(job->status)) return false;
        job->failure_reason =
            ShortText("InternalServerError: cannot collect the outputs: " + status.message());
        return true;
      });
    } else if (!os::PauseFor(seconds(1), leave_)) {
      return false;
    }
  }
  return IsHere();
}

void JobLife::End() {
  Change([now = TimeOfEnd()](TrainingJob* job) {
    if (IsOver(job->status)) return false;
    if (!job->failure_reason.empty()) {
      Enter(job, Secondary::kFailed, "Training job failed", now);
    } else if (job->status != JobStatus::kStopping) {
      Enter(job, Secondary::kCompleted, "Training job completed", now);
    } else if (job->stop_cause == StopCause::kMaxRuntime) {
      Enter(job, Secondary::kMaxRuntimeExceeded,
            "Training job runtime exceeded MaxRuntimeInSeconds provided", now);
    } else {
      Enter(job, Secondary::kStopped, "Training job stopped", now);
    }
    job->ended = now;
    job->modified = Now();
    return true;
  });
}

Time JobLife::TimeOfEnd() const {
  if (!hosts_ended_ || *hosts_ended_ >= began_) return Now();
  // Later than what is known of the job, whatever the clock of a host said.
  Time latest = job_->started.value_or(job_->created);
  if (!job_->transitions.empty()) latest = std::max(latest, job_->transitions.back().start);
  return std::max(latest, *hosts_ended_);
}

void JobLife::FollowRules() {
  while (IsHere() && rules_.Tend(&*job_) && !JobRules::AreOver(*job_)) Wait();
}

bool JobLife::IsAt(Secondary status) const { return IsToRun() && job_->secondary == status; }

bool JobLife::WasTraining() const { return job_->started.has_value(); }

void JobLife::Step(Secondary from, Secondary to, const char* message, Time time) {
  Change([&](TrainingJob* job) {
    if (job->status != JobStatus::kInProgress || job->secondary != from) return false;
    Enter(job, to, message, time);
    return true;
  });
}

void JobLife::Fail(const std::string& reason) {
  Change([&](TrainingJob* job) {
    if (job->status != JobStatus::kInProgress || !job->failure_reason.empty()) return false;
    job->failure_reason = ShortText(reason);
    return true;
  });
}

void JobLife::KeepRecord() {
  if (!IsHere() || kept_ == job_->modified) return;
  kept_ = job_->modified;
  const Status status = KeepCopy(service::DataLayout(parts_.options->data).Job(name_), *job_);
  if (!status.ok()) LogWarning("cannot copy the record of job {}: {}", name_, status.message());
}

void JobLife::Wait() {
  KeepRecord();
  const milliseconds time = Clock::now() - born_ < kYoung ? kLookYoung : kLook;
  bool poked = false;
  {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, leave_, time, [this] { return poked_; });
    poked = std::exchange(poked_, false);
  }
  if (!poked && Clock::now() - looked_ < kReload) return;
  looked_ = Clock::now();
  Reload();
}

void JobLife::Poke() {
  const std::lock_guard lock(mutex_);
  poked_ = true;
  wake_.notify_all();
}

}  // namespace warden::jobs
