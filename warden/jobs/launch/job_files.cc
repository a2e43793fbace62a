#include "warden/jobs/launch/job_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "warden/base/json_members.h"
#include "warden/os/open_beneath.h"
#include "warden/os/posix.h"
#include "warden/os/replace_file.h"

namespace warden::jobs {
namespace {

constexpr char kOnlyGroup[] = "homogeneousCluster";
constexpr char kConfigFolder[] = "opt/ml/input/config";  // In the agent's folder.

struct Group {
  std::string name;
  std::string type;
  std::vector<std::string> hosts;
};

// Hosts are dealt out to the groups in order.
std::vector<Group> GroupsOf(const TrainingJob& job) {
  const std::vector<std::string> hosts = job.Hosts();
  const Json* groups = MemberOf(job.request, "ResourceConfig", "InstanceGroups");
  if (groups == nullptr || !groups->is_array() || groups->empty()) {
    return {{kOnlyGroup, TextOf(MemberOf(job.request, "ResourceConfig", "InstanceType")), hosts}};
  }
  std::vector<Group> dealt;
  size_t next = 0;
  for (const Json& group : *groups) {
    const auto count =
        static_cast<size_t>(std::max<int64_t>(0, IntegerOf(MemberOf(group, "InstanceCount"))));
    Group& made = dealt.emplace_back(Group{
        TextOf(MemberOf(group, "InstanceGroupName")), TextOf(MemberOf(group, "InstanceType")), {}});
    for (size_t i = 0; i < count && next < hosts.size(); ++i) made.hosts.push_back(hosts[next++]);
  }
  return dealt;
}

// The object of the request with the path that the program is told.
Result<Json> WithLocalPath(Json config, const HostLayout& layout, const std::string& usual) {
  if (!config.is_object()) config = Json::object();
  std::string requested = TextOf(MemberOf(config, "LocalPath"));
  if (requested.empty()) requested = "/opt/ml/" + usual;
  const auto place = layout.PlaceOf(requested);
  if (!place.ok()) return place.status();
  config["LocalPath"] = place.value().seen;
  return config;
}

Result<std::optional<Json>> ConfigOf(const TrainingJob& job, const char* member,
                                     const HostLayout& layout, const char* usual) {
  const Json* config = MemberOf(job.request, member);
  if (config == nullptr) return std::optional<Json>();
  auto changed = WithLocalPath(*config, layout, usual);
  if (!changed.ok()) return changed.status().WithContext(member);
  return std::optional(std::move(changed.value()));
}

// A program may have put a link in place of a folder, which the service is not to follow.
Result<os::UniqueFd> ConfigFolder(const HostLayout& layout) {
  const os::UniqueFd agent(open(layout.agent().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!agent.ok()) return os::IoError("open", layout.agent(), errno);
  return os::OpenFolderBeneath(agent.get(), kConfigFolder);
}

Status WriteConfig(const HostLayout& layout, const std::string& name,
                   const Result<std::optional<Json>>& config) {
  if (!config.ok()) return config.status();
  const auto folder = ConfigFolder(layout);
  if (!folder.ok()) return folder.status().WithContext(kConfigFolder);
  if (!config.value()) {
    // Hooks take a file that is there for a wish.
    unlinkat(folder.value().get(), name.c_str(), 0);
    return Status();
  }
  // The program may be another user, whatever our umask is: a mode that is exact.
  return os::ReplaceFileIn(folder.value().get(), name, DumpLikePython(*config.value()) + "\n", 0644)
      .WithContext(kConfigFolder);
}

Status WriteConfig(const HostLayout& layout, const std::string& name, Json config) {
  return WriteConfig(layout, name, Result<std::optional<Json>>(std::optional(std::move(config))));
}

}  // namespace

Json ResourceConfigOf(const TrainingJob& job, const std::string& host,
                      const std::string& interface) {
  Json config = {
      {"current_host", host}, {"hosts", job.Hosts()}, {"network_interface_name", interface}};
  Json told = Json::array();
  for (const Group& group : GroupsOf(job)) {
    if (std::find(group.hosts.begin(), group.hosts.end(), host) != group.hosts.end()) {
      config["current_instance_type"] = group.type;
      config["current_group_name"] = group.name;
    }
    told.push_back({{"instance_group_name", group.name},
                    {"instance_type", group.type},
                    {"hosts", group.hosts}});
  }
  config["instance_groups"] = std::move(told);
  return config;
}

Json InputDataConfigOf(const TrainingJob& job) {
  Json config = Json::object();
  const Json* channels = MemberOf(job.request, "InputDataConfig");
  if (channels == nullptr || !channels->is_array()) return config;
  const auto or_else = [](std::string text, const char* usual) {
    return text.empty() ? std::string(usual) : text;
  };
  const std::string mode =
      or_else(TextOf(MemberOf(job.request, "AlgorithmSpecification", "TrainingInputMode")), "File");
  for (const Json& channel : *channels) {
    const Json* source = MemberOf(channel, "DataSource", "S3DataSource");
    Json told = {
        {"TrainingInputMode", or_else(TextOf(MemberOf(channel, "InputMode")), mode.c_str())},
        {"S3DistributionType",
         or_else(source == nullptr ? "" : TextOf(MemberOf(*source, "S3DataDistributionType")),
                 "FullyReplicated")},
        {"RecordWrapperType", or_else(TextOf(MemberOf(channel, "RecordWrapperType")), "None")}};
    const std::string type = TextOf(MemberOf(channel, "ContentType"));
    if (!type.empty()) told["ContentType"] = type;
    config[TextOf(MemberOf(channel, "ChannelName"))] = std::move(told);
  }
  return config;
}

Result<std::optional<Json>> DebugHookConfigOf(const TrainingJob& job, const HostLayout& layout) {
  return ConfigOf(job, "DebugHookConfig", layout, "output/tensors");
}

Result<std::optional<Json>> ProfilerConfigOf(const TrainingJob& job, const HostLayout& layout) {
  const Json* config = MemberOf(job.request, "ProfilerConfig");
  if (config == nullptr || !config->is_object()) return std::optional<Json>();
  Json told = *config;
  // An empty map means that the framework is not profiled; a path in it would mean that it is.
  const Json* parameters = MemberOf(told, "ProfilingParameters");
  if (parameters != nullptr && parameters->is_object() && !parameters->empty()) {
    auto changed = WithLocalPath(*parameters, layout, "output/profiler");
    if (!changed.ok()) return changed.status().WithContext("ProfilerConfig");
    told["ProfilingParameters"] = std::move(changed.value());
  }
  return std::optional(std::move(told));
}

Status WriteProfilerConfig(const TrainingJob& job, const HostLayout& layout) {
  return WriteConfig(layout, "profilerconfig.json", ProfilerConfigOf(job, layout));
}

Status WriteJobFiles(const TrainingJob& job, const std::string& host, const HostLayout& layout,
                     const std::string& interface) {
  const Json* parameters = MemberOf(job.request, "HyperParameters");
  auto checkpoints = ConfigOf(job, "CheckpointConfig", layout, "checkpoints");
  if (checkpoints.ok() && checkpoints.value()) {
    checkpoints = std::optional(Json{{"LocalPath", (*checkpoints.value())["LocalPath"]}});
  }
  const Status statuses[] = {
      WriteConfig(layout, "hyperparameters.json",
                  parameters == nullptr ? Json::object() : *parameters),
      WriteConfig(layout, "resourceconfig.json", ResourceConfigOf(job, host, interface)),
      WriteConfig(layout, "inputdataconfig.json", InputDataConfigOf(job)),
      WriteConfig(layout, "debughookconfig.json", DebugHookConfigOf(job, layout)),
      WriteProfilerConfig(job, layout),
      WriteConfig(layout, "tensorboardoutputconfig.json",
                  ConfigOf(job, "TensorBoardOutputConfig", layout, "output/tensorboard")),
      WriteConfig(layout, "checkpointconfig.json", checkpoints)};
  for (const Status& status : statuses) {
    if (!status.ok()) return status;
  }
  return Status();
}

}  // namespace warden::jobs
