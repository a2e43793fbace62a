#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "warden/base/json_members.h"
#include "warden/base/log.h"
#include "warden/jobs/agent/agent.h"
#include "warden/jobs/agent/agent_folder.h"
#include "warden/jobs/launch/box_json.h"
#include "warden/jobs/launch/boxed.h"
#include "warden/jobs/launch/collect.h"
#include "warden/jobs/launch/distribution.h"
#include "warden/jobs/launch/environments.h"
#include "warden/jobs/launch/host_agents.h"
#include "warden/jobs/launch/host_spec.h"
#include "warden/jobs/launch/input_data.h"
#include "warden/jobs/launch/instance_limits.h"
#include "warden/jobs/launch/isolation.h"
#include "warden/jobs/launch/job_files.h"
#include "warden/jobs/launch/job_variables.h"
#include "warden/jobs/launch/launcher.h"
#include "warden/jobs/launch/outputs.h"
#include "warden/jobs/launch/program_plan.h"
#include "warden/jobs/launch/script_mode.h"
#include "warden/os/posix.h"
#include "warden/os/replace_file.h"
#include "warden/os/whole_file.h"
#include "warden/s3/object_path.h"

namespace warden::jobs {
namespace {

namespace fs = std::filesystem;

class JobLauncher : public Launcher {
 public:
  JobLauncher(service::ServiceOptions options, Environments environments,
              std::unique_ptr<HostAgents> agents)
      : options_(std::move(options)),
        layout_(options_.data),
        environments_(std::move(environments)),
        agents_(std::move(agents)),
        isolation_(options_) {}

  Status Check(const TrainingJob& job) override {
    const auto environment = EnvironmentOf(job, environments_, options_);
    if (!environment.ok()) return environment.status();
    if (Status status = CheckProgram(job, environment.value()); !status.ok()) return status;
    const auto script = ScriptOf(job);
    if (!script.ok()) return script.status();
    if (Status status = CheckScript(script.value(), layout_.Objects()); !status.ok()) return status;
    if (Status status = CheckInputData(job); !status.ok()) return status;
    if (Status status = isolation_.Check(job); !status.ok()) return status;
    if (Status status = agents_->Check(job); !status.ok()) return status;
    const auto distribution = DistributionOf(job, environment.value());
    if (!distribution.ok()) return distribution.status();
    const HostLayout host = LayoutOf(job, job.Hosts().front(), environment.value());
    const auto outputs = OutputFoldersOf(job, host, layout_.Objects());
    if (!outputs.ok()) return outputs.status();
    return CheckArtifacts(job);
  }

  Status Prepare(const TrainingJob& job) override {
    const auto environment = EnvironmentOf(job, environments_, options_);
    if (!environment.ok()) return environment.status();
    bool any_started = false;
    for (const std::string& host : job.Hosts()) any_started |= agents_->WasStarted(job, host);
    if (!any_started) {
      if (Status status = CheckNotMarked(job, layout_.Objects()); !status.ok()) return status;
    }
    const auto machine = agents_->MachineOf(job);
    if (!machine.ok()) return machine.status();
    for (const std::string& host : job.Hosts()) {
      if (agents_->WasStarted(job, host)) continue;
      const Status status = PrepareHost(job, host, environment.value(), machine.value());
      if (!status.ok()) return status;
    }
    return Status();
  }

  Status Start(const TrainingJob& job) override {
    const auto environment = EnvironmentOf(job, environments_, options_);
    if (!environment.ok()) return environment.status();
    const auto machine = agents_->MachineOf(job);
    if (!machine.ok()) return machine.status();
    std::vector<AgentLaunch> launches;
    for (const std::string& host : job.Hosts()) {
      const HostLayout layout = LayoutOf(job, host, environment.value());
      const auto outputs = OutputFoldersOf(job, layout, layout_.Objects());
      if (!outputs.ok()) return outputs.status();
      HostToPlan plan{options_,        environment.value(), job, host, layout,
                      outputs.value(), machine.value(),     {},  {}};
      if (!layout.in_container()) {
        plan.notice = isolation_.Notice(job);
        if (isolation_.on()) {
          auto box = isolation_.BoxOf({job, host, layout, outputs.value(), environment.value()});
          if (!box.ok()) return box.status();
          plan.box = std::move(box.value());
        }
      }
      auto spec = PlanHost(plan);
      if (!spec.ok()) return spec.status();
      agents_->Adapt(job, &spec.value());
      AgentLaunch& launch = launches.emplace_back();
      launch.folder = layout.agent();
      launch.words = {options_.program, "agent", "host"};
      launch.spec = ToJson(spec.value());
      launch.environment = AsEnvironment(HarmlessVariables());
    }
    return agents_->Start(job, launches);
  }

  std::vector<HostState> Look(const TrainingJob& job) override { return agents_->Look(job); }

  void Stop(const TrainingJob& job, std::chrono::seconds grace) override {
    const std::string text = DumpLikePython({{"grace_seconds", grace.count()}}) + "\n";
    for (const std::string& host : job.Hosts()) {
      const std::string folder = layout_.Host(job.name, host);
      std::error_code error;
      if (!fs::is_directory(folder, error)) continue;
      // An agent that is only just beginning finds it.
      const Status status = os::ReplaceFile(StopFileOf(folder), text, 0600);
      if (!status.ok()) LogWarning("{}", status.message());
    }
    agents_->Stop(job, grace);
  }

  Status Reconfigure(const TrainingJob& job) override {
    const auto environment = EnvironmentOf(job, environments_, options_);
    if (!environment.ok()) return environment.status();
    for (const std::string& host : job.Hosts()) {
      const HostLayout layout = LayoutOf(job, host, environment.value());
      const auto outputs = OutputFoldersOf(job, layout, layout_.Objects());
      if (!outputs.ok()) return outputs.status();
      // The place before the wish: the program may act on it at once.
      if (Status status = LinkOutputs(layout, outputs.value(), true); !status.ok()) {
        return status;
      }
      if (Status status = WriteProfilerConfig(job, layout); !status.ok()) return status;
    }
    return Status();
  }

  Status Collect(const TrainingJob& job) override {
    std::vector<HostLayout> hosts;
    for (const std::string& host : job.Hosts()) {
      hosts.emplace_back(layout_.Host(job.name, host), HostLayout::View::kHere);
    }
    const Status collected = CollectArtifacts(job, hosts, layout_.Objects(), layout_.Uploads());
    const Status profiles = CollectProfiles(job, hosts, layout_.Objects());
    if (!profiles.ok()) LogWarning("{}: {}", job.name, profiles.message());
    // Rules must come to an end even if a disk is full.
    const Status marked = MarkEnds(job, layout_.Objects());
    for (const HostLayout& host : hosts) {
      std::error_code error;
      fs::remove_all(host.agent() + "/tmp", error);
    }
    return collected.ok() ? marked : collected;
  }

  bool Queues(const TrainingJob&) const override { return agents_->Queues(); }

  RuleAgents* AgentsOfRules(const TrainingJob&) override { return agents_->AgentsOfRules(); }

  std::string Warning() const override {
    const std::string warning = agents_->Warning();
    return warning.empty() ? isolation_.Warning() : warning;
  }

  Result<CommandPlace> PlaceOfCommands(const TrainingJob& job) override {
    CommandPlace place{{}, AsEnvironment(HarmlessVariables())};
    if (!isolation_.on()) return place;
    const auto box = isolation_.BoxOfCommand(job);
    if (!box.ok()) return box.status();
    const std::string file = layout_.Job(job.name) + "/command_box.json";
    const Json described = {{"box", ToJson(box.value())}, {"directory", "/tmp"}};
    const Status status = os::ReplaceFile(file, DumpLikePython(described) + "\n", 0600);
    if (!status.ok()) return status;
    place.prefix = BoxedCommand(options_.program, file);
    place.prefix.emplace_back("--words");
    return place;
  }

  Result<std::optional<RuleBox>> BoxOfRule(const TrainingJob& job,
                                           const RuleToIsolate& rule) override {
    if (!isolation_.on()) return std::optional<RuleBox>();
    auto box = isolation_.BoxOfRule(job, rule);
    if (!box.ok()) return box.status();
    return std::optional<RuleBox>(std::move(box.value()));
  }

  Status Remove(const TrainingJob& job) override {
    if (job.name.empty() || job.name.find('/') != std::string::npos || job.name.front() == '.') {
      return Status(Code::kInvalid, fmt::format("'{}' is not a valid job name", job.name));
    }
    std::error_code error;
    // Links go, what they lead to stays.
    fs::remove_all(layout_.Job(job.name), error);
    return error ? os::IoError("remove", layout_.Job(job.name), error.value()) : Status();
  }

 private:
  // Whether what is written at the end can be: it would be late to find out then.
  Status CheckArtifacts(const TrainingJob& job) const {
    const auto check = [&](const std::string& uri, const std::string& what) {
      const auto name = s3::ParseS3Uri(uri);
      if (!name.ok()) return name.status().WithContext(what);
      const auto path = s3::PathOfObject(layout_.Objects(), name.value());
      return path.ok() ? Status() : path.status().WithContext(what);
    };
    Status status = check(job.ModelArtifacts(), "OutputDataConfig");
    for (const RuleJob& rule : job.rules) {
      if (status.ok()) status = check(job.RuleOutput(rule), "rule " + rule.Name());
    }
    return status;
  }

  HostLayout LayoutOf(const TrainingJob& job, const std::string& host,
                      const JobEnvironment& environment) const {
    using View = HostLayout::View;
    const std::string folder = layout_.Host(job.name, host);
    if (environment.container) return HostLayout(folder, View::kContainer);
    // A host that runs sees what it was given, perhaps by a service with other options.
    const auto spec = ParseJson(os::ReadWholeFile(AgentFolder(folder).Spec()).value_or(""));
    if (spec.ok() && agents_->WasStarted(job, host)) {
      const bool moved = TextOf(MemberOf(spec.value(), "directory")).starts_with("/opt/ml");
      return HostLayout(folder, moved ? View::kBox : View::kHere);
    }
    return HostLayout(folder, isolation_.on() && os::PathExists("/opt") ? View::kBox : View::kHere);
  }

  Status PrepareHost(const TrainingJob& job, const std::string& host,
                     const JobEnvironment& environment, const HostMachine& machine) {
    const HostLayout layout = LayoutOf(job, host, environment);
    const auto outputs = OutputFoldersOf(job, layout, layout_.Objects());
    if (!outputs.ok()) return outputs.status();
    // What an earlier try has left may be half of something.
    for (const char* folder : {"/opt", "/other", "/tmp", "/profiler"}) {
      std::error_code error;
      fs::remove_all(layout.agent() + folder, error);
      if (error) return os::IoError("remove", layout.agent() + folder, error.value());
    }
    if (Status status = MakeHostFolders(layout, outputs.value()); !status.ok()) return status;
    if (Status status = WriteJobFiles(job, host, layout, machine.interface); !status.ok())
      return status;
    const auto script = ScriptOf(job);
    if (!script.ok()) return script.status();
    Status status =
        FetchScript(script.value(), layout_.Objects(), layout.Here("code"), LimitsOfVolume(job));
    if (!status.ok()) return status;
    status = FetchInputData(job, host, layout, layout_.Objects());
    if (!status.ok() || layout.in_container()) return status;
    return isolation_.Prepare({job, host, layout, outputs.value(), environment});
  }

  const service::ServiceOptions options_;
  const service::DataLayout layout_;
  const Environments environments_;
  const std::unique_ptr<HostAgents> agents_;
  Isolation isolation_;
};

}  // namespace

// From the state of a host's agent (state.json, written by RunHostAgent) to what the supervisor
// sees of the host. Members that are missing or invalid count as 0, empty or nothing. host:
// "algo-1".
//
//   {"pid": 1234, "program_pid": 1235, "group": "/sys/fs/cgroup/...", "started": 1763251200000,
//    "ended": true, "ended_at": 1763251260000, "exit_code": 1, "signal": 0, "failure": "...",
//    "timed_out": false, "asked": false}
HostState HostStateOf(const std::string& host, const AgentState& agent) {
  HostState state;
  state.host = host;
  switch (agent.phase) {
    case AgentState::Phase::kNone: state.phase = HostState::Phase::kNotStarted; break;
    case AgentState::Phase::kRunning: state.phase = HostState::Phase::kRunning; break;
    case AgentState::Phase::kEnded: state.phase = HostState::Phase::kEnded; break;
    case AgentState::Phase::kLost: state.phase = HostState::Phase::kLost; break;
  }
  state.exit_code = static_cast<int>(IntegerOf(MemberOf(agent.said, "exit_code")));
  state.signal = static_cast<int>(IntegerOf(MemberOf(agent.said, "signal")));
  state.failure = TextOf(MemberOf(agent.said, "failure"));
  state.timed_out = IsTrue(MemberOf(agent.said, "timed_out"));
  state.asked = IsTrue(MemberOf(agent.said, "asked"));
  const auto time = [&](const char* member) -> std::optional<Time> {
    const Json* told = MemberOf(agent.said, member);
    if (told == nullptr || !told->is_number_integer()) return std::nullopt;
    return Time(std::chrono::milliseconds(told->get<int64_t>()));
  };
  state.started = time("started");
  state.ended = time("ended_at");
  return state;
}

Result<std::unique_ptr<Launcher>> MakeLauncher(const service::ServiceOptions& options,
                                               std::unique_ptr<HostAgents> agents) {
  const bool named = !options.environments.empty();
  auto environments =
      Environments::Load(named ? options.environments : options.data + "/environments.json", named);
  if (!environments.ok()) return environments.status();
  return std::unique_ptr<Launcher>(
      std::make_unique<JobLauncher>(options, std::move(environments.value()), std::move(agents)));
}

Result<std::unique_ptr<Launcher>> MakeLocalLauncher(const service::ServiceOptions& options) {
  return MakeLauncher(options, MakeLocalAgents(options));
}

}  // namespace warden::jobs
