// Agents of hosts as tasks of Slurm jobs.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/base/strings.h"
#include "warden/jobs/agent/agent_folder.h"
#include "warden/jobs/launch/host_agents.h"
#include "warden/jobs/launch/master_port.h"
#include "warden/jobs/launch/node.h"
#include "warden/jobs/slurm/slurm.h"
#include "warden/jobs/slurm/slurm_command.h"
#include "warden/jobs/slurm/slurm_config.h"
#include "warden/jobs/slurm/slurm_end.h"
#include "warden/jobs/slurm/slurm_jobs.h"
#include "warden/jobs/slurm/slurm_record.h"
#include "warden/jobs/slurm/slurm_rule_agents.h"
#include "warden/jobs/slurm/slurm_script.h"
#include "warden/jobs/slurm/split_launcher.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

using Clock = std::chrono::steady_clock;
using Phase = HostState::Phase;
using std::chrono::seconds;

// Between the end of a stopped job's grace and its cancellation.
constexpr seconds kAfterGrace{60};
// So long after the kill of a host, Slurm may not yet say that it will start it again.
constexpr seconds kLateRequeue{30};

// What the training finds of its node. Not all of Slurm's: frameworks that find SLURM_NTASKS take
// one task for each process for granted.
constexpr const char* kInherited[] = {
    "CUDA_VISIBLE_DEVICES=", "NVIDIA_VISIBLE_DEVICES=", "ROCR_VISIBLE_DEVICES=",
    "GPU_DEVICE_ORDINAL=",   "SLURM_JOB_ID=",           "SLURM_JOB_NODELIST=",
    "SLURM_RESTART_COUNT=",  "SLURMD_NODENAME="};
// mpirun starts its processes through Slurm.
constexpr const char* kInheritedByMpi[] = {"SLURM_", "PMI"};

int64_t Milliseconds(Time time) { return time.time_since_epoch().count(); }

std::string LastLineOf(const std::string& file) {
  const auto lines = SplitTrimmed(os::ReadWholeFile(file).value_or(""), '\n');
  return lines.empty() ? "" : lines.back();
}

class SlurmAgents : public HostAgents {
 public:
  SlurmAgents(const service::ServiceOptions& options, SlurmConfig config,
              std::map<std::string, int64_t> limits)
      : layout_(options.data),
        program_(options.program),
        config_(std::move(config)),
        jobs_(std::move(limits), options.stop_grace),
        rules_(MakeSlurmRuleAgents(config_.rules(), &jobs_)) {}

  bool Queues() const override { return true; }

  RuleAgents* AgentsOfRules() override { return rules_.get(); }

  std::string Warning() const override {
    return getuid() == 0 ? "this service is root: its jobs run as root on the nodes of the cluster"
                         : "";
  }

  Status Check(const TrainingJob& job) override { return config_.QueueOf(job).status(); }

  Result<HostMachine> MachineOf(const TrainingJob& job) override {
    const auto queue = config_.QueueOf(job);
    if (!queue.ok()) return queue.status();
    const auto port = MasterPort(layout_.Job(job.name));
    if (!port.ok()) return port.status();
    HostMachine machine;
    machine.master = AddressOfHost(job.Hosts().front());
    machine.port = port.value();
    machine.gpus = queue.value().Gpus();
    machine.cpus = std::max<int64_t>(queue.value().cpus, 1);
    machine.shared = false;
    machine.interface = queue.value().network_interface;
    return machine;
  }

  void Adapt(const TrainingJob& job, HostSpec* spec) override {
    spec->nodes_file = NodesFileOf(layout_.Job(job.name));
    if (const auto longest = job.LongestRun()) spec->longest_seconds = longest->count();
    spec->limits = {};  // Slurm has its own.
    spec->inherited.assign(std::begin(kInherited), std::end(kInherited));
    if (spec->words.front() == "mpirun") {
      spec->inherited.assign(std::begin(kInheritedByMpi), std::end(kInheritedByMpi));
      spec->inherited.insert(spec->inherited.end(), std::begin(kInherited), std::end(kInherited));
    }
    // Those of the service's machine mean nothing on a node.
    const Json* asked = MemberOf(job.request, "Environment");
    std::erase_if(spec->environment, [&](const std::string& each) {
      const std::string name = each.substr(0, each.find('='));
      return name.ends_with("_VISIBLE_DEVICES") &&
             (asked == nullptr || MemberOf(*asked, name) == nullptr);
    });
  }

  bool WasStarted(const TrainingJob& job, const std::string&) override {
    return ReadRecord(layout_.Job(job.name)).has_value();
  }

  Status Start(const TrainingJob& job, const std::vector<AgentLaunch>& launches) override {
    const auto queue = config_.QueueOf(job);
    if (!queue.ok()) return queue.status();
    SlurmSubmission submission;
    submission.folder = layout_.Job(job.name);
    submission.program = program_;
    submission.hosts = job.Hosts().size();
    submission.queue = queue.value();
    submission.minutes = jobs_.MinutesFor(job, queue.value());
    // Only what continues at a checkpoint is worth another attempt.
    submission.requeue = MemberOf(job.request, "CheckpointConfig") != nullptr;
    const std::string script = ScriptOf(submission);
    return jobs_.SubmitOnce(std::move(submission), job.name, script, [&] {
      Status status;
      for (size_t i = 0; i < launches.size() && status.ok(); ++i) {
        status = SlurmJobs::WriteSpec(launches[i]);
      }
      return status;
    });
  }

  std::vector<HostState> Look(const TrainingJob& job) override {
    const std::string folder = layout_.Job(job.name);
    auto record = ReadRecord(folder);
    std::vector<HostState> states;
    if (!record || record->id.empty()) {
      for (const std::string& host : job.Hosts()) states.emplace_back().host = host;
      return states;
    }
    // Before what hosts say: one that has ended in between has said so before.
    const SlurmQueue::Answer answer = jobs_.Find(record->id);
    const bool over = answer.known && (!answer.job || answer.job->IsOver());
    bool reported = true;
    for (const std::string& host : job.Hosts()) {
      states.push_back(LookAtHost(job, host, *record, answer));
      reported &= states.back().phase == Phase::kEnded || states.back().phase == Phase::kLost;
    }
    if (over && !reported && !jobs_.MayReportLate(record->id, answer)) {
      NoteLost(job, answer, &*record, &states);
    }
    if (!over && !reported) CancelIfLate(folder, &*record);
    return states;
  }

  void Stop(const TrainingJob& job, seconds grace) override {
    const std::string folder = layout_.Job(job.name);
    auto record = ReadRecord(folder);
    if (!record || record->id.empty()) return;
    record->kill_at = Milliseconds(Now() + grace + kAfterGrace);
    if (Status status = WriteRecord(folder, *record); !status.ok()) {
      LogWarning("{}", status.message());
    }
    // Those that run follow the stop file: a signal would reach the training twice.
    SlurmJobs::Cancel({"--state=PENDING", record->id});
  }

 private:
  HostState LookAtHost(const TrainingJob& job, const std::string& host, const SlurmRecord& record,
                       const SlurmQueue::Answer& answer) {
    const std::string folder = layout_.Host(job.name, host);
    const AgentState agent = LookAtAgent(folder);
    HostState state = HostStateOf(host, agent);
    if (const auto lost = record.lost.find(host); lost != record.lost.end()) {
      state.phase = Phase::kLost;
      state.failure = lost->second;
      state.timed_out = record.timed_out;
      return state;
    }
    if (state.phase == Phase::kEnded) {
      std::error_code error;
      const bool by_us = state.timed_out || std::filesystem::exists(StopFileOf(folder), error);
      // If Slurm has ended it, Slurm soon says why.
      const bool by_slurm = state.asked || MayBeKilledBySlurm(folder, state, answer);
      if (by_slurm && !by_us && !EndedByItself(answer)) state.phase = Phase::kRunning;
      return state;
    }
    // Whether its process lives cannot be seen from here.
    const bool queued = answer.job && answer.job->state == "PENDING";
    state.phase =
        queued || agent.phase == AgentState::Phase::kNone ? Phase::kQueued : Phase::kRunning;
    if (queued && answer.job->reason != "None") state.waiting = answer.job->reason;
    return state;
  }

  // Whether the job ended because its hosts did.
  static bool EndedByItself(const SlurmQueue::Answer& answer) {
    return answer.job && (answer.job->state == "COMPLETED" || answer.job->state == "FAILED");
  }

  // Slurm ends a program and its agent at once: the program may end before the agent knows that it
  // was asked to.
  bool MayBeKilledBySlurm(const std::string& folder, const HostState& state,
                          const SlurmQueue::Answer& answer) {
    const int signal = state.signal != 0 ? state.signal : state.exit_code - 128;
    if ((signal != SIGTERM && signal != SIGKILL) || (answer.known && !answer.job)) return false;
    const std::lock_guard lock(mutex_);
    if (!answer.job || answer.job->state != "RUNNING") {
      killed_.erase(folder);
      return true;
    }
    const auto seen = killed_.try_emplace(folder, Clock::now()).first->second;
    return Clock::now() - seen < kLateRequeue;
  }

  // Remembers why hosts were lost: Slurm forgets it. Ends what is left of them on nodes that Slurm
  // does not reach.
  void NoteLost(const TrainingJob& job, const SlurmQueue::Answer& answer, SlurmRecord* record,
                std::vector<HostState>* states) {
    const std::string folder = layout_.Job(job.name);
    SlurmEnd end{record->id, answer.job ? answer.job->state : "", {}, ""};
    if (answer.job && !answer.job->nodes.empty()) end.failed_nodes = FailedOf(answer.job->nodes);
    end.output = LastLineOf(OutputFileOf(folder));
    record->timed_out = IsTimeOver(end);
    const auto nodes = ReadNodes(NodesFileOf(folder));
    for (HostState& state : *states) {
      if (state.phase == Phase::kEnded || state.phase == Phase::kLost) continue;
      const auto node = nodes.find(state.host);
      state.phase = Phase::kLost;
      state.failure = WhyLost(end, state.host, node == nodes.end() ? "" : node->second.name);
      state.timed_out = record->timed_out;
      record->lost[state.host] = state.failure;
    }
    Status status = WriteRecord(folder, *record);
    for (const auto& [host, why] : record->lost) {
      if (!status.ok()) break;
      status = os::ReplaceFile(StopFileOf(layout_.Host(job.name, host)), "{\"grace_seconds\": 0}\n",
                               0600);
    }
    if (!status.ok()) LogWarning("{}", status.message());
  }

  // Nodes that are down.
  static std::vector<std::string> FailedOf(const std::string& nodes) {
    const auto said = RunSlurm({"sinfo", "--noheader", "--Node", "--nodes=" + nodes,
                                "--states=down,fail,drained", "--format=%N"});
    if (!said.ok()) return {};
    std::vector<std::string> failed = SplitTrimmed(said.value(), '\n');
    failed.erase(std::unique(failed.begin(), failed.end()), failed.end());
    return failed;
  }

  // A host that does not end, since its agent was killed or hangs.
  static void CancelIfLate(const std::string& folder, SlurmRecord* record) {
    if (record->kill_at == 0 || Milliseconds(Now()) < record->kill_at) return;
    SlurmJobs::Cancel({record->id});
    record->kill_at = Milliseconds(Now() + kAfterGrace);
    if (Status status = WriteRecord(folder, *record); !status.ok()) {
      LogWarning("{}", status.message());
    }
  }

  const service::DataLayout layout_;
  const std::string program_;
  const SlurmConfig config_;
  SlurmJobs jobs_;
  const std::unique_ptr<RuleAgents> rules_;
  std::mutex mutex_;
  std::map<std::string, Clock::time_point> killed_;  // Under mutex_: first seen, by folder.
};

// The longest time of jobs of each partition that has one, in minutes; the default one's also as
// "". kInvalid if the configuration names others.
Result<std::map<std::string, int64_t>> LimitsOf(const SlurmConfig& config) {
  // Slurm's commands would wait a minute for the file to appear.
  const char* file = std::getenv("SLURM_CONF");
  if (file != nullptr && access(file, R_OK) != 0) {
    return Status(Code::kInvalid,
                  fmt::format("--launcher slurm: cannot read '{}', the value of SLURM_CONF: {}",
                              file, os::ErrorText(errno)));
  }
  const auto said = RunSlurm({"sinfo", "--noheader", "--format=%P|%l"});
  if (!said.ok()) {
    return Status(Code::kInvalid, fmt::format("--launcher slurm: Slurm does not answer: {}",
                                              said.status().message()));
  }
  std::map<std::string, int64_t> limits;
  std::vector<std::string> known;
  for (const std::string& line : SplitTrimmed(said.value(), '\n')) {
    const std::vector<std::string> parts = SplitTrimmed(line, '|');
    if (parts.size() != 2) continue;
    const bool is_default = parts[0].ends_with('*');
    const std::string name = parts[0].substr(0, parts[0].size() - (is_default ? 1 : 0));
    if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    const auto minutes = MinutesOf(parts[1]);
    if (!minutes) continue;
    limits[name] = *minutes;
    if (is_default) limits[""] = *minutes;
  }
  for (const SlurmQueueOptions& queue : config.queues()) {
    for (const std::string& partition : SplitTrimmed(queue.partition, ',')) {
      if (std::find(known.begin(), known.end(), partition) != known.end()) continue;
      std::string all;
      for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
      return Status(
          Code::kInvalid,
          fmt::format("slurm.json: unknown partition '{}'; expected one of: {}", partition, all));
    }
  }
  return limits;
}

}  // namespace

Result<std::unique_ptr<Launcher>> MakeSlurmLauncher(const service::ServiceOptions& options) {
  using Isolation = service::ServiceOptions::Isolation;
  if (options.isolation == Isolation::kRequired) {
    return Status(Code::kInvalid,
                  "--isolation is required; with --launcher slurm expected auto or off: jobs are "
                  "isolated by Slurm only");
  }
  const bool named = !options.slurm_config.empty();
  auto config =
      SlurmConfig::Load(named ? options.slurm_config : options.data + "/slurm.json", named);
  if (!config.ok()) return config.status();
  auto limits = LimitsOf(config.value());
  if (!limits.ok()) return limits.status();
  service::ServiceOptions without_boxes = options;
  without_boxes.isolation = Isolation::kOff;
  const SlurmConfig& queues = config.value();
  auto slurm = MakeLauncher(
      without_boxes, std::make_unique<SlurmAgents>(options, queues, std::move(limits.value())));
  const bool split = std::any_of(queues.queues().begin(), queues.queues().end(),
                                 [](const SlurmQueueOptions& queue) { return queue.local; });
  if (!split || !slurm.ok()) return slurm;
  auto local = MakeLocalLauncher(options);
  if (!local.ok()) return local;
  return MakeSplitLauncher(options.data, queues, std::move(local.value()),
                           std::move(slurm.value()));
}

}  // namespace warden::jobs
