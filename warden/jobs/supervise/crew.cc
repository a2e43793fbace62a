#include "warden/jobs/supervise/crew.h"

#include <fmt/format.h>

#include <filesystem>

#include "warden/base/log.h"
#include "warden/os/blocked_signals.h"
#include "warden/os/pause.h"

namespace warden::jobs {
namespace {

constexpr std::chrono::seconds kPause{1};

// Nothing is started yet: it can wait for its turn.
bool CanWait(const TrainingJob& job) {
  return job.status == JobStatus::kInProgress && job.secondary == SecondaryStatus::kStarting &&
         !job.started;
}

}  // namespace

Crew::Crew(LifeParts parts) : parts_(std::move(parts)), store_(parts_.store, leave_.get_token()) {
  const os::BlockedSignals blocked;
  manager_ = std::thread([this] { Manage(); });
}

Crew::~Crew() {
  leave_.request_stop();
  manager_.join();
  // Nobody adds any now, but they still tell that they are done.
  for (auto& [name, worker] : workers_) worker.thread.join();
}

void Crew::Wake(const std::string& job) {
  const std::lock_guard lock(mutex_);
  woken_.insert(job);
  changed_.notify_all();
}

void Crew::Manage() {
  TakeUpUnfinished();
  while (!leave_.stop_requested()) {
    // One that was changed at its last moment is looked at again.
    for (const std::string& name : Reap()) Consider(name);
    LetWaitingIn();
    std::set<std::string> woken;
    {
      std::unique_lock lock(mutex_);
      const auto is_news = [this] {
        for (const auto& [name, worker] : workers_) {
          if (worker.done) return true;
        }
        return !woken_.empty();
      };
      changed_.wait_for(lock, leave_.get_token(), kPause, is_news);
      woken.swap(woken_);
    }
    for (const std::string& name : woken) Consider(name);
  }
}

void Crew::TakeUpUnfinished() {
  auto unfinished = parts_.store->Unfinished();
  while (!unfinished.ok()) {
    LogError("cannot list unfinished jobs: {}", unfinished.status().message());
    if (!os::PauseFor(kPause, leave_.get_token())) return;
    unfinished = parts_.store->Unfinished();
  }
  for (const std::string& name : unfinished.value()) Consider(name);
  std::error_code error;
  const std::string jobs = service::DataLayout(parts_.options->data).Job("");
  for (std::filesystem::directory_iterator at(jobs, error), end; !error && at != end;
       at.increment(error)) {
    if (JobActions::AreLeft(at->path().string())) Consider(at->path().filename().string());
  }
}

void Crew::Consider(const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    const auto worker = workers_.find(name);
    if (worker != workers_.end()) {
      worker->second.life->Poke();
      return;
    }
  }
  std::erase_if(waiting_, [&](const auto& job) { return job.first.second == name; });
  const auto job = store_.Get(name);
  if (!job) return;
  const bool over = IsOver(job->status);
  const std::string folder = service::DataLayout(parts_.options->data).Job(name);
  if (over && JobRules::AreOver(*job) && !JobActions::AreLeft(folder)) return;
  JobPool pool = parts_.launcher->PoolOf(*job);
  if (!CanWait(*job)) {
    Begin(name, pool.name, !over);
  } else {
    waiting_.emplace(std::pair(job->created, name), std::move(pool));
  }
}

void Crew::Begin(const std::string& name, const std::string& pool, bool trains) {
  const os::BlockedSignals blocked;
  const std::lock_guard lock(mutex_);
  Worker& worker = workers_[name];
  worker.life = std::make_unique<JobLife>(name, parts_, leave_.get_token());
  worker.trains = trains;
  worker.pool = pool;
  worker.thread = std::thread([this, &worker] {
    worker.life->Run([&] {
      const std::lock_guard held(mutex_);
      worker.trains = false;
      changed_.notify_all();
    });
    const std::lock_guard held(mutex_);
    worker.done = true;
    changed_.notify_all();
  });
}

void Crew::LetWaitingIn() {
  if (waiting_.empty()) return;
  std::map<std::string, size_t> training = Training();
  size_t all = 0;
  for (const auto& [pool, count] : training) all += count;
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    const auto& [job, pool] = *at;
    const std::string& name = job.second;
    size_t& of_pool = training[pool.name];
    const bool is_full = of_pool >= pool.at_once;
    if (is_full || all >= parts_.options->jobs_at_once) {
      if (told_.insert(name).second) TellItWaits(name, is_full ? of_pool : all);
      ++at;
      continue;
    }
    told_.erase(name);
    Begin(name, pool.name, true);
    ++of_pool;
    ++all;
    at = waiting_.erase(at);
  }
}

void Crew::TellItWaits(const std::string& name, size_t running) {
  store_.Change(name, [&](TrainingJob* job) {
    std::string message = fmt::format("Waiting for {} running jobs to end", running);
    if (!CanWait(*job)) return false;
    Enter(job, SecondaryStatus::kStarting, std::move(message), Now());
    return true;
  });
}

std::vector<std::string> Crew::Reap() {
  std::vector<std::map<std::string, Worker>::node_type> done;
  {
    const std::lock_guard lock(mutex_);
    for (auto at = workers_.begin(); at != workers_.end();) {
      const auto worker = at++;
      if (worker->second.done) done.push_back(workers_.extract(worker));
    }
  }
  // Their last actions may want to wake others, which they could not under the lock.
  std::vector<std::string> names;
  for (auto& worker : done) {
    worker.mapped().thread.join();
    names.push_back(worker.key());
  }
  return names;
}

std::map<std::string, size_t> Crew::Training() {
  const std::lock_guard lock(mutex_);
  std::map<std::string, size_t> count;
  for (const auto& [name, worker] : workers_) count[worker.pool] += worker.trains ? 1 : 0;
  return count;
}

}  // namespace warden::jobs
