#include "warden/jobs/slurm/slurm_queue.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/jobs/slurm/slurm_command.h"

namespace warden::jobs {
namespace {

constexpr std::chrono::seconds kAsk{1};
// All others are on their way to one of these, or back into the queue.
constexpr std::string_view kFinal[] = {"COMPLETED", "FAILED",    "CANCELLED",
                                       "TIMEOUT",   "DEADLINE",  "NODE_FAIL",
                                       "BOOT_FAIL", "PREEMPTED", "OUT_OF_MEMORY"};
// The reason comes last, since it may contain anything.
constexpr char kFormat[] = "--format=%i|%j|%T|%N|%r";

}  // namespace

bool SlurmJob::IsOver() const {
  return std::find(std::begin(kFinal), std::end(kFinal), state) != std::end(kFinal);
}

std::map<std::string, SlurmJob> ParseQueue(std::string_view text) {
  std::map<std::string, SlurmJob> jobs;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    std::array<std::string, 4> parts;
    bool whole = true;
    for (std::string& part : parts) {
      const size_t end = line.find('|');
      whole &= end != std::string_view::npos;
      if (!whole) break;
      part = Trim(line.substr(0, end));
      line.remove_prefix(end + 1);
    }
    if (!whole || parts[0].empty()) continue;
    jobs[parts[0]] = {parts[0], parts[1], parts[2], parts[3], std::string(Trim(line))};
  }
  return jobs;
}

Status SlurmQueue::Ask() {
  const auto now = Clock::now();
  {
    const std::lock_guard lock(mutex_);
    tried_ = now;
  }
  const auto said = RunSlurm(
      {"squeue", "--noheader", "--states=all", fmt::format("--user={}", getuid()), kFormat});
  if (!said.ok()) return said.status();
  auto jobs = ParseQueue(said.value());
  const std::lock_guard lock(mutex_);
  jobs_ = std::move(jobs);
  asked_ = now;
  return Status();
}

SlurmQueue::Answer SlurmQueue::Find(const std::string& id, Clock::time_point since) {
  if (std::unique_lock asking(asking_, std::try_to_lock); asking.owns_lock()) {
    bool is_due = false;
    {
      const std::lock_guard lock(mutex_);
      is_due = tried_ == Clock::time_point() || Clock::now() - tried_ >= kAsk;
    }
    if (is_due) {
      const Status status = Ask();
      if (!status.ok()) LogWarning("cannot ask Slurm for the state of jobs: {}", status.message());
    }
  }
  const std::lock_guard lock(mutex_);
  Answer answer{asked_ != Clock::time_point() && asked_ > since, std::nullopt};
  if (const auto found = jobs_.find(id); found != jobs_.end()) answer.job = found->second;
  return answer;
}

Result<std::optional<SlurmJob>> SlurmQueue::FindByName(const std::string& name) {
  const std::lock_guard asking(asking_);
  if (Status status = Ask(); !status.ok()) return status;
  const std::lock_guard lock(mutex_);
  std::optional<SlurmJob> found;
  for (const auto& [id, job] : jobs_) {
    if (job.name == name && (!found || ParseInt(id) > ParseInt(found->id))) found = job;
  }
  return found;
}

}  // namespace warden::jobs
