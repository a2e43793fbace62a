#include "warden/jobs/slurm/split_launcher.h"

#include <algorithm>
#include <utility>

#include "warden/jobs/agent/agent_folder.h"
#include "warden/jobs/slurm/slurm_record.h"
#include "warden/service/options.h"

namespace warden::jobs {
namespace {

class SplitLauncher : public Launcher {
 public:
  SplitLauncher(const std::string& data, SlurmConfig config, std::unique_ptr<Launcher> local,
                std::unique_ptr<Launcher> slurm)
      : layout_(data),
        config_(std::move(config)),
        local_(std::move(local)),
        slurm_(std::move(slurm)) {}

  Status Check(const TrainingJob& job) override { return Of(job).Check(job); }
  Status Prepare(const TrainingJob& job) override { return Of(job).Prepare(job); }
  Status Start(const TrainingJob& job) override { return Of(job).Start(job); }
  std::vector<HostState> Look(const TrainingJob& job) override { return Of(job).Look(job); }
  void Stop(const TrainingJob& job, std::chrono::seconds grace) override {
    Of(job).Stop(job, grace);
  }
  Status Reconfigure(const TrainingJob& job) override { return Of(job).Reconfigure(job); }
  Status Collect(const TrainingJob& job) override { return Of(job).Collect(job); }
  bool Queues(const TrainingJob& job) const override { return Of(job).Queues(job); }
  RuleAgents* AgentsOfRules(const TrainingJob& job) override { return Of(job).AgentsOfRules(job); }
  Result<CommandPlace> PlaceOfCommands(const TrainingJob& job) override {
    return Of(job).PlaceOfCommands(job);
  }
  Result<std::optional<RuleBox>> BoxOfRule(const TrainingJob& job,
                                           const RuleToIsolate& rule) override {
    return Of(job).BoxOfRule(job, rule);
  }
  Status Remove(const TrainingJob& job) override { return Of(job).Remove(job); }

  JobPool PoolOf(const TrainingJob& job) override {
    const auto queue = config_.QueueOf(job);
    if (&Of(job) != local_.get() || !queue.ok() || !queue.value().local) return JobPool();
    std::string name = "local";
    for (const std::string& type : queue.value().instance_types) name += " " + type;
    return {std::move(name), static_cast<size_t>(queue.value().jobs_at_once)};
  }

  std::string Warning() const override {
    const std::string warning = slurm_->Warning();
    return warning.empty() ? local_->Warning() : warning;
  }

 private:
  Launcher& Of(const TrainingJob& job) const {
    if (ReadRecord(layout_.Job(job.name))) return *slurm_;
    const std::vector<std::string> hosts = job.Hosts();
    const bool started_here = std::any_of(hosts.begin(), hosts.end(), [&](const std::string& host) {
      const AgentFolder folder(layout_.Host(job.name, host));
      return ReadMark(folder.Started()) || ReadMark(folder.Claimed());
    });
    if (started_here) return *local_;
    const auto queue = config_.QueueOf(job);
    // Slurm's says what is wrong with its type.
    return queue.ok() && queue.value().local ? *local_ : *slurm_;
  }

  const service::DataLayout layout_;
  const SlurmConfig config_;
  const std::unique_ptr<Launcher> local_, slurm_;
};

}  // namespace

std::unique_ptr<Launcher> MakeSplitLauncher(const std::string& data, SlurmConfig config,
                                            std::unique_ptr<Launcher> local,
                                            std::unique_ptr<Launcher> slurm) {
  return std::make_unique<SplitLauncher>(data, std::move(config), std::move(local),
                                         std::move(slurm));
}

}  // namespace warden::jobs
