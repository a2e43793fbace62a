#ifndef WARDEN_JOBS_SUPERVISE_LAUNCHER_FOR_TEST_H_
#define WARDEN_JOBS_SUPERVISE_LAUNCHER_FOR_TEST_H_

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "warden/jobs/launch/launcher.h"
#include "warden/s3/object_path.h"

// For tests: hosts whose programs do what the test says. Like real ones they outlive supervisors.
namespace warden::jobs {

class ScriptedLauncher : public Launcher {
 public:
  explicit ScriptedLauncher(std::string objects) : objects_(std::move(objects)) {}

  Status Check(const TrainingJob&) override { return Status(); }

  Status Prepare(const TrainingJob& job) override {
    const std::lock_guard lock(mutex_);
    ++prepared_[job.name];
    return prepare_status_;
  }

  Status Start(const TrainingJob& job) override {
    const std::lock_guard lock(mutex_);
    for (HostState& host : HostsOf(job)) {
      if (host.phase != HostState::Phase::kNotStarted) continue;
      if (!queue_.empty()) {
        host.phase = HostState::Phase::kQueued;
        host.waiting = queue_;
        continue;
      }
      host.phase = HostState::Phase::kRunning;
      host.started = Now();
      ++runs_[job.name];
      if (ends_at_once_) EndHost(&host, 0, 0);
    }
    return Status();
  }

  std::vector<HostState> Look(const TrainingJob& job) override {
    const std::lock_guard lock(mutex_);
    return HostsOf(job);
  }

  void Stop(const TrainingJob& job, std::chrono::seconds) override {
    const std::lock_guard lock(mutex_);
    ++stops_[job.name];
    for (HostState& host : HostsOf(job)) {
      if (host.phase == HostState::Phase::kRunning) EndHost(&host, 0, 15);
    }
  }

  Status Reconfigure(const TrainingJob& job) override {
    const std::lock_guard lock(mutex_);
    configurations_.push_back(job.request.at("ProfilerConfig"));
    return Status();
  }

  Status Collect(const TrainingJob& job) override {
    std::unique_lock lock(mutex_);
    ++collects_[job.name];
    if (collect_failures_ > 0) {
      --collect_failures_;
      return Status(Code::kIo, "the disk is full");
    }
    for (const auto& [uri, marker] :
         {std::pair(job.DebugOutput(), "training_job_end.ts"),
          std::pair(job.ProfilerOutput(), "system/training_job_end.ts")}) {
      if (uri.empty()) continue;
      const std::filesystem::path path = std::filesystem::path(*PathOfUri(uri)) / marker;
      std::filesystem::create_directories(path.parent_path());
      std::ofstream(path) << "";
    }
    return Status();
  }

  Status Remove(const TrainingJob&) override { return Status(); }

  bool Queues(const TrainingJob&) const override { return !queue_.empty(); }

  // ---- What the programs do.
  // Hosts wait from now on. Before the supervisor is started.
  void QueueFor(std::string reason) { queue_ = std::move(reason); }
  void LeaveQueue(const std::string& job, size_t host) {
    const std::lock_guard lock(mutex_);
    HostState& state = hosts_.at(job).at(host);
    state.phase = HostState::Phase::kRunning;
    state.started = Now();
  }
  void EndAtOnce() {
    const std::lock_guard lock(mutex_);
    ends_at_once_ = true;
  }
  void End(const std::string& job, size_t host, int exit_code, std::string failure = {}) {
    const std::lock_guard lock(mutex_);
    HostState& state = hosts_.at(job).at(host);
    state.failure = std::move(failure);
    EndHost(&state, exit_code, 0);
  }
  // As an agent does at the end of the job's time.
  void TimeOut(const std::string& job, size_t host) {
    const std::lock_guard lock(mutex_);
    HostState& state = hosts_.at(job).at(host);
    state.timed_out = true;
    EndHost(&state, 0, 15);
  }
  void Lose(const std::string& job, size_t host) {
    const std::lock_guard lock(mutex_);
    hosts_.at(job).at(host).phase = HostState::Phase::kLost;
  }
  void FailToPrepare(Status status) {
    const std::lock_guard lock(mutex_);
    prepare_status_ = std::move(status);
  }
  void FailToCollect(int times) {
    const std::lock_guard lock(mutex_);
    collect_failures_ = times;
  }

  // ---- What was asked of them.
  bool IsRunning(const std::string& job) {
    const std::lock_guard lock(mutex_);
    const auto hosts = hosts_.find(job);
    if (hosts == hosts_.end()) return false;
    for (const HostState& host : hosts->second) {
      if (host.phase == HostState::Phase::kRunning) return true;
    }
    return false;
  }
  int runs(const std::string& job) {
    const std::lock_guard lock(mutex_);
    return runs_[job];
  }
  int stops(const std::string& job) {
    const std::lock_guard lock(mutex_);
    return stops_[job];
  }
  std::vector<Json> configurations() {
    const std::lock_guard lock(mutex_);
    return configurations_;
  }

 private:
  std::optional<std::string> PathOfUri(const std::string& uri) const {
    const auto name = s3::ParseS3Uri(uri);
    if (!name.ok()) return std::nullopt;
    auto path = s3::PathOfObject(objects_, name.value());
    return path.ok() ? std::optional(path.value()) : std::nullopt;
  }

  std::vector<HostState>& HostsOf(const TrainingJob& job) {
    std::vector<HostState>& hosts = hosts_[job.name];
    for (size_t i = hosts.size(); i < job.Hosts().size(); ++i) {
      hosts.emplace_back().host = job.Hosts()[i];
    }
    return hosts;
  }

  static void EndHost(HostState* host, int exit_code, int signal) {
    host->phase = HostState::Phase::kEnded;
    host->exit_code = exit_code;
    host->signal = signal;
    host->ended = Now();
  }

  const std::string objects_;
  std::mutex mutex_;
  bool ends_at_once_ = false;
  std::string queue_;  // For what hosts wait; empty: they do not.
  Status prepare_status_;
  int collect_failures_ = 0;
  std::map<std::string, std::vector<HostState>> hosts_;
  std::map<std::string, int> prepared_, runs_, stops_, collects_;
  std::vector<Json> configurations_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_SUPERVISE_LAUNCHER_FOR_TEST_H_
