#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json_members.h"
#include "warden/sagemaker/operations/new_job.h"
#include "warden/sagemaker/operations/profiler_config_request.h"
#include "warden/sagemaker/operations/rule_jobs.h"

namespace warden::sagemaker::operations {
namespace {

constexpr int64_t kMostHosts = 100;

using Problem = std::optional<ApiError>;

bool IsEmptyList(const Json* list) { return list == nullptr || list->empty(); }

// Older models require them; newer ones do not, for jobs without machines of their own.
Problem CheckPresence(const Json& body) {
  if (MemberOf(body, "ServerlessJobConfig") != nullptr) {
    return ValidationError(
        "ServerlessJobConfig is not supported: jobs run on this service's machines");
  }
  for (const auto& [member, path] : {std::pair("AlgorithmSpecification", "algorithmSpecification"),
                                     std::pair("ResourceConfig", "resourceConfig")}) {
    if (MemberOf(body, member) != nullptr) continue;
    return ValidationError(fmt::format(
        "1 validation error detected: Value null at '{}' failed to satisfy constraint: Member must "
        "not be null",
        path));
  }
  return std::nullopt;
}

Problem CheckAlgorithm(const Json& body) {
  const Json* image = MemberOf(body, "AlgorithmSpecification", "TrainingImage");
  const Json* name = MemberOf(body, "AlgorithmSpecification", "AlgorithmName");
  if (image != nullptr && name != nullptr) {
    return ValidationError(
        "AlgorithmSpecification has both TrainingImage and AlgorithmName; expected only one of "
        "them");
  }
  if (name != nullptr || !TextOf(image).empty()) return std::nullopt;
  return ValidationError(
      "Invalid training image. AlgorithmSpecification needs a TrainingImage or "
      "an AlgorithmName.");
}

Problem CheckResources(const Json& body) {
  const Json& config = *MemberOf(body, "ResourceConfig");
  const Json* groups = MemberOf(config, "InstanceGroups");
  const Json* count = MemberOf(config, "InstanceCount");
  int64_t hosts = IntegerOf(count);
  if (!IsEmptyList(groups)) {
    if (hosts > 0 || MemberOf(config, "InstanceType") != nullptr) {
      return ValidationError(
          "ResourceConfig has InstanceGroups; set InstanceType and InstanceCount for each group "
          "instead");
    }
    for (const Json& group : *groups) {
      hosts += std::clamp<int64_t>(IntegerOf(MemberOf(group, "InstanceCount")), 0, kMostHosts + 1);
    }
  }
  if (hosts < 1) {
    return ValidationError(
        "ResourceConfig needs an InstanceCount of at least 1, or InstanceGroups");
  }
  if (hosts <= kMostHosts) return std::nullopt;
  return ApiError{"ResourceLimitExceeded",
                  fmt::format("A job can have at most {} hosts; this job requests {}", kMostHosts,
                              count != nullptr ? count->dump() : "more")};
}

Problem CheckSpot(const Json& body) {
  const Json* wait = MemberOf(body, "StoppingCondition", "MaxWaitTimeInSeconds");
  if (wait == nullptr) return std::nullopt;
  if (!IsTrue(MemberOf(body, "EnableManagedSpotTraining"))) {
    return ValidationError(
        "Invalid MaxWaitTimeInSeconds. It is only supported when "
        "EnableManagedSpotTraining is set to true");
  }
  if (IntegerOf(wait) < IntegerOf(MemberOf(body, "StoppingCondition", "MaxRuntimeInSeconds"))) {
    return ValidationError(
        "Invalid MaxWaitTimeInSeconds. It must be greater than or equal to "
        "MaxRuntimeInSeconds");
  }
  return std::nullopt;
}

Problem CheckChannels(const Json& body) {
  const Json* channels = MemberOf(body, "InputDataConfig");
  if (channels == nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (const Json& channel : *channels) {
    std::string name = TextOf(MemberOf(channel, "ChannelName"));
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      return ValidationError("Channel names must be unique. Duplicate name: " + name);
    }
    names.push_back(std::move(name));
  }
  return std::nullopt;
}

Problem CheckDebugger(const Json& body) {
  const Json* debug_rules = MemberOf(body, "DebugRuleConfigurations");
  const Json* profiler_rules = MemberOf(body, "ProfilerRuleConfigurations");
  const Json* profiler = MemberOf(body, "ProfilerConfig");
  if (!IsEmptyList(debug_rules) && MemberOf(body, "DebugHookConfig") == nullptr) {
    return ValidationError(
        "DebugHookConfig must be specified when DebugRuleConfigurations is specified");
  }
  if (profiler != nullptr) {
    if (auto error = CheckProfilerConfig(*profiler)) return error;
  }
  const bool profiled = profiler != nullptr && !IsTrue(MemberOf(*profiler, "DisableProfiler"));
  if (!IsEmptyList(profiler_rules) && !profiled) {
    return ValidationError(
        "ProfilerRuleConfigurations cannot be specified when the profiler is disabled");
  }
  std::vector<std::string> names;
  if (auto error = CheckRules(debug_rules, &names)) return error;
  return CheckRules(profiler_rules, &names);
}

}  // namespace

Problem CheckNewJob(const Json& body) {
  for (const auto check : {&CheckPresence, &CheckAlgorithm, &CheckResources, &CheckSpot,
                           &CheckChannels, &CheckDebugger}) {
    if (auto error = check(body)) return error;
  }
  return std::nullopt;
}

}  // namespace warden::sagemaker::operations
