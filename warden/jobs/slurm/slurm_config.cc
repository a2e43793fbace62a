#include "warden/jobs/slurm/slurm_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <utility>

#include "warden/base/json.h"
#include "warden/base/json_members.h"
#include "warden/base/strings.h"
#include "warden/os/whole_file.h"

namespace warden::jobs {
namespace {

constexpr int64_t kMostCpus = 100'000;
constexpr int64_t kMostAtOnce = 10'000;

Status WrongMember(std::string_view member, std::string_view accepted) {
  return Status(Code::kInvalid, fmt::format("{}: expected {}", member, accepted));
}

bool IsText(const Json& value) {
  return value.is_string() && !value.get_ref<const std::string&>().empty() &&
         value.get_ref<const std::string&>().find('\0') == std::string::npos;
}

Status ReadText(const Json& value, std::string_view member, std::string* to) {
  if (!IsText(value)) return WrongMember(member, "a non-empty string");
  *to = value.get<std::string>();
  return Status();
}

Status ReadTexts(const Json& value, std::string_view member, std::vector<std::string>* to) {
  const bool right = value.is_array() && std::all_of(value.begin(), value.end(), IsText);
  if (!right) return WrongMember(member, "a list of non-empty strings");
  *to = value.get<std::vector<std::string>>();
  return Status();
}

// A word that is not an option would be taken for the script.
Status ReadOptions(const Json& value, std::string_view member, std::vector<std::string>* to) {
  if (Status status = ReadTexts(value, member, to); !status.ok()) return status;
  const auto wrong = std::find_if(to->begin(), to->end(),
                                  [](const std::string& each) { return !each.starts_with('-'); });
  if (wrong == to->end()) return Status();
  return Status(
      Code::kInvalid,
      fmt::format("{}: '{}' is not an option; expected --NAME or --NAME=VALUE", member, *wrong));
}

Status ReadNumber(const Json& value, std::string_view member, int64_t most, int64_t* to) {
  const bool right = value.is_number_integer() && value >= 1 && value <= most;
  if (!right) return WrongMember(member, fmt::format("an integer from 1 to {}", most));
  *to = value.get<int64_t>();
  return Status();
}

Status ReadLauncher(const Json& value, bool* local) {
  if (value != "local" && value != "slurm") return WrongMember("launcher", "'local' or 'slurm'");
  *local = value == "local";
  return Status();
}

Status ReadMember(const std::string& key, const Json& value, SlurmQueueOptions* queue) {
  if (key == "instance_types") return ReadTexts(value, key, &queue->instance_types);
  if (key == "partition") return ReadText(value, key, &queue->partition);
  if (key == "account") return ReadText(value, key, &queue->account);
  if (key == "qos") return ReadText(value, key, &queue->qos);
  if (key == "gres") return ReadText(value, key, &queue->gres);
  if (key == "launcher") return ReadLauncher(value, &queue->local);
  if (key == "jobs_at_once") return ReadNumber(value, key, kMostAtOnce, &queue->jobs_at_once);
  if (key == "cpus") return ReadNumber(value, key, kMostCpus, &queue->cpus);
  if (key == "memory") return ReadText(value, key, &queue->memory);
  if (key == "network_interface") return ReadText(value, key, &queue->network_interface);
  if (key == "options") return ReadOptions(value, key, &queue->options);
  if (key == "srun_options") return ReadOptions(value, key, &queue->srun_options);
  return Status(Code::kInvalid,
                fmt::format("unknown member '{}'; expected one of: instance_types, launcher, "
                            "jobs_at_once, partition, account, qos, gres, cpus, memory, "
                            "network_interface, options, srun_options",
                            key));
}

// Members that would have no effect.
Status CheckMembers(const Json& entry, bool local) {
  for (const auto& [key, value] : entry.items()) {
    const bool of_local = key == "jobs_at_once";
    const bool of_both = key == "instance_types" || key == "launcher";
    if (of_both || of_local == local) continue;
    return Status(Code::kInvalid, fmt::format("{}: expected only with the launcher '{}'", key,
                                              of_local ? "local" : "slurm"));
  }
  return Status();
}

Result<SlurmQueueOptions> ReadQueue(const Json& entry) {
  if (!entry.is_object()) return Status(Code::kInvalid, "expected an object");
  SlurmQueueOptions queue;
  for (const auto& [key, value] : entry.items()) {
    if (Status status = ReadMember(key, value, &queue); !status.ok()) return status;
  }
  if (queue.instance_types.empty()) {
    return WrongMember("instance_types", "a list of at least one pattern");
  }
  if (Status status = CheckMembers(entry, queue.local); !status.ok()) return status;
  return queue;
}

// As of a queue, but for what says which jobs go there.
Result<SlurmQueueOptions> ReadRules(const Json& entry) {
  for (const char* member : {"instance_types", "launcher", "network_interface", "srun_options"}) {
    if (MemberOf(entry, member) == nullptr) continue;
    return Status(Code::kInvalid, fmt::format("'{}' is a member of queues only", member));
  }
  return ReadQueue(entry);
}

std::vector<std::string> InstanceTypesOf(const TrainingJob& job) {
  std::vector<std::string> types;
  const Json* groups = MemberOf(job.request, "ResourceConfig", "InstanceGroups");
  if (groups != nullptr && groups->is_array()) {
    for (const Json& group : *groups) types.push_back(TextOf(MemberOf(group, "InstanceType")));
  }
  if (types.empty()) types = {TextOf(MemberOf(job.request, "ResourceConfig", "InstanceType"))};
  return types;
}

}  // namespace

int SlurmQueueOptions::Gpus() const {
  int gpus = 0;
  for (const std::string& each : SplitTrimmed(gres, ',')) {
    const std::vector<std::string> parts = SplitTrimmed(each, ':');
    if (parts.empty() || parts.front() != "gpu") continue;
    // "gpu" and "gpu:a100" are one.
    gpus += static_cast<int>(ParseInt(parts.back()).value_or(1));
  }
  return gpus;
}

Result<SlurmConfig> SlurmConfig::Load(const std::string& path, bool must_exist) {
  const auto text = os::ReadWholeFile(path);
  if (!text && must_exist) return Status(Code::kInvalid, fmt::format("cannot read {}", path));
  auto config = Parse(text.value_or(R"({"queues": [{}]})"));
  if (config.ok()) return config;
  return Status(Code::kInvalid, fmt::format("{}: {}", path, config.status().message()));
}

Result<SlurmConfig> SlurmConfig::Parse(std::string_view text) {
  const auto json = ParseJson(text);
  if (!json.ok()) return json.status();
  const Json* queues = MemberOf(json.value(), "queues");
  const Json* rules = MemberOf(json.value(), "rules");
  const size_t members = rules == nullptr ? 1 : 2;
  const bool right = queues != nullptr && json.value().size() == members && queues->is_array();
  if (!right || queues->empty()) {
    return Status(Code::kInvalid,
                  "expected {\"queues\": [...], \"rules\": {...}} with at least one queue");
  }
  SlurmConfig config;
  for (const Json& entry : *queues) {
    auto queue = ReadQueue(entry);
    if (!queue.ok()) {
      return queue.status().WithContext(fmt::format("queues[{}]", config.queues_.size()));
    }
    config.queues_.push_back(std::move(queue.value()));
  }
  if (rules != nullptr) {
    auto read = ReadRules(*rules);
    if (!read.ok()) return read.status().WithContext("rules");
    config.rules_ = std::move(read.value());
  }
  return config;
}

Result<SlurmQueueOptions> SlurmConfig::QueueOf(const TrainingJob& job) const {
  const SlurmQueueOptions* chosen = nullptr;
  for (const std::string& type : InstanceTypesOf(job)) {
    const auto takes = [&](const SlurmQueueOptions& queue) {
      return std::any_of(
          queue.instance_types.begin(), queue.instance_types.end(),
          [&](const std::string& each) { return fnmatch(each.c_str(), type.c_str(), 0) == 0; });
    };
    const auto found = std::find_if(queues_.begin(), queues_.end(), takes);
    if (found == queues_.end()) {
      std::vector<std::string> known;
      for (const SlurmQueueOptions& queue : queues_) {
        known.insert(known.end(), queue.instance_types.begin(), queue.instance_types.end());
      }
      return Status(Code::kInvalid,
                    fmt::format("InstanceType is '{}'; expected one that a queue of slurm.json "
                                "takes: {}",
                                type, fmt::join(known, ", ")));
    }
    if (chosen != nullptr && chosen != &*found) {
      return Status(Code::kInvalid,
                    "InstanceGroups: the instance types belong to different queues of slurm.json; "
                    "expected types of one queue");
    }
    chosen = &*found;
  }
  return *chosen;
}

std::optional<int64_t> MinutesOf(std::string_view slurm_time) {
  int64_t days = 0;
  const size_t dash = slurm_time.find('-');
  if (dash != std::string_view::npos) {
    const auto parsed = ParseInt(slurm_time.substr(0, dash));
    if (!parsed) return std::nullopt;
    days = *parsed;
    slurm_time.remove_prefix(dash + 1);
  }
  std::vector<int64_t> parts;
  for (const std::string& part : SplitTrimmed(slurm_time, ':')) {
    const auto parsed = ParseInt(part);
    if (!parsed) return std::nullopt;
    parts.push_back(*parsed);
  }
  if (parts.empty() || parts.size() > 3) return std::nullopt;
  // sinfo writes minutes and seconds, or all three.
  const int64_t seconds = parts.size() > 1 ? parts.back() : 0;
  const int64_t minutes = parts.size() == 3 ? parts[1] : parts[0];
  const int64_t hours = parts.size() == 3 ? parts[0] : 0;
  return (days * 24 + hours) * 60 + minutes + (seconds > 0 ? 1 : 0);
}

}  // namespace warden::jobs
