#include "warden/jobs/slurm/slurm_rule_agents.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/jobs/agent/agent_folder.h"
#include "warden/jobs/agent/spawn.h"
#include "warden/jobs/slurm/slurm_end.h"
#include "warden/jobs/slurm/slurm_record.h"
#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

using AgentPhase = AgentState::Phase;
using std::chrono::seconds;
using Steady = std::chrono::steady_clock;

// Between two requests to end the same job.
constexpr seconds kCancelPause{60};

// Whoever canceled it wanted that, and its time would be over again.
bool IsWorthAnother(const SlurmEnd& end) { return end.state != "CANCELLED" && !IsTimeOver(end); }

bool WasStopped(const AgentState& agent) {
  return TextOf(MemberOf(agent.said, "status")) == NameOf(RuleStatus::kStopped);
}

// Not because the agent did.
bool EndedBySlurm(const SlurmQueue::Answer& answer) {
  return answer.job && answer.job->state != "COMPLETED" && answer.job->state != "FAILED";
}

class SlurmRuleAgents : public RuleAgents {
 public:
  SlurmRuleAgents(std::optional<SlurmQueueOptions> queue, SlurmJobs* jobs)
      : queue_(std::move(queue)), jobs_(jobs) {}

  bool FollowTraining() const override { return queue_.has_value(); }

  Status Start(const TrainingJob& job, const AgentLaunch& launch) override {
    const bool is_there = ReadRecord(launch.folder).has_value();
    if (!is_there && (!queue_ || WasStartedHere(launch.folder))) return StartAgent(launch);
    SlurmSubmission submission;
    submission.folder = launch.folder;
    // One that was about to be submitted before the configuration was changed still is.
    submission.queue = queue_.value_or(SlurmQueueOptions());
    submission.minutes = jobs_->MinutesFor(job, submission.queue);
    AgentLaunch limited = launch;
    if (!MemoryCanBeLimited()) limited.memory_bytes = 0;
    return jobs_->SubmitOnce(std::move(submission),
                             std::filesystem::path(launch.folder).filename().string(),
                             AgentScriptOf(limited), [&] { return SlurmJobs::WriteSpec(launch); });
  }

  RuleAgentState Look(const std::string& folder) override {
    const auto record = ReadRecord(folder);
    if (!record) return LocalRuleAgents()->Look(folder);
    RuleAgentState state;
    SlurmQueue::Answer answer;
    // Before what the agent says: one that has ended in between has said so before.
    if (!record->id.empty()) answer = jobs_->Find(record->id);
    state.agent = LookAtAgent(folder);
    const bool over = answer.known && (!answer.job || answer.job->IsOver());
    if (state.agent.phase == AgentPhase::kEnded) {
      // Slurm ends a job by the signal that asks for a result so far. Soon it says that it did.
      const bool by_slurm = WasStopped(state.agent) && record->kill_at == 0;
      if (!by_slurm || (over && !EndedBySlurm(answer))) return state;
    }
    // Whether its process lives cannot be seen from here.
    state.agent.phase = record->id.empty() ? AgentPhase::kNone : AgentPhase::kRunning;
    state.queued = answer.job && answer.job->state == "PENDING";
    if (!over || jobs_->MayReportLate(record->id, answer)) return state;
    const SlurmEnd end{record->id, answer.job ? answer.job->state : "", {}, ""};
    state.agent.phase = AgentPhase::kLost;
    state.why_lost = WhyRuleLost(end);
    state.again = IsWorthAnother(end);
    return state;
  }

  void Signal(const std::string& folder, int signal) override {
    auto record = ReadRecord(folder);
    if (!record) return LocalRuleAgents()->Signal(folder, signal);
    if (record->id.empty()) return;
    if (record->kill_at == 0) {
      record->kill_at = Now().time_since_epoch().count();
      if (Status status = WriteRecord(folder, *record); !status.ok()) {
        LogWarning("{}", status.message());
      }
    }
    const SlurmQueue::Answer answer = jobs_->Find(record->id);
    if (answer.known && (!answer.job || answer.job->IsOver())) return;
    // What Slurm said may be a second old.
    const bool runs = ReadMark(AgentFolder(folder).Claimed()).has_value();
    if (runs && signal == SIGTERM) {
      // The script has become the agent, which tells its own processes.
      SlurmJobs::Cancel({"--batch", "--signal=TERM", record->id});
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      const auto [last, is_first] = canceled_.try_emplace(record->id, Steady::now());
      if (!is_first && Steady::now() - last->second < kCancelPause) return;
      last->second = Steady::now();
    }
    SlurmJobs::Cancel({record->id});
  }

  Status Forget(const std::string& folder) override {
    if (!ReadRecord(folder)) return LocalRuleAgents()->Forget(folder);
    const AgentFolder files(folder);
    // The lock too: an agent on a node that Slurm has given up may hold it. It says nothing more
    // once its claim is gone. The record last: until then the job is still seen to be over.
    for (const std::string& file :
         {files.Claimed(), files.State(), files.Lock(), RecordFileOf(folder)}) {
      if (unlink(file.c_str()) != 0 && errno != ENOENT) return os::IoError("remove", file, errno);
    }
    return Status();
  }

 private:
  static bool WasStartedHere(const std::string& folder) {
    return LookAtAgent(folder).phase != AgentPhase::kNone ||
           ReadMark(AgentFolder(folder).Started()).has_value();
  }

  const std::optional<SlurmQueueOptions> queue_;
  SlurmJobs* const jobs_;
  std::mutex mutex_;
  std::map<std::string, Steady::time_point> canceled_;  // Under mutex_: when, by ID.
};

}  // namespace

std::unique_ptr<RuleAgents> MakeSlurmRuleAgents(std::optional<SlurmQueueOptions> queue,
                                                SlurmJobs* jobs) {
  return std::make_unique<SlurmRuleAgents>(std::move(queue), jobs);
}

}  // namespace warden::jobs
