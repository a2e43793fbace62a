#include "warden/sagemaker/operations/profiler_config_request.h"

#include <algorithm>
#include <iterator>

#include "warden/base/json_members.h"
#include "warden/sagemaker/operations/rule_jobs.h"

namespace warden::sagemaker::operations {
namespace {

constexpr int64_t kIntervals[] = {100, 200, 500, 1000, 5000, 60'000};

std::string WithoutSlash(std::string path) {
  while (path.ends_with('/')) path.pop_back();
  return path;
}

void SwitchOff(Time now, jobs::TrainingJob* job) {
  job->request["ProfilerConfig"]["DisableProfiler"] = true;
  for (size_t i = 0; i < job->rules.size(); ++i) {
    if (job->rules[i].kind == jobs::RuleJob::Kind::kProfiler) AskToStop(i, now, job);
  }
}

}  // namespace

std::optional<ApiError> CheckProfilerConfig(const Json& config) {
  if (IsTrue(MemberOf(config, "DisableProfiler")) && config.size() > 1) {
    return ValidationError("ProfilerConfig is not allowed to have fields when disabled.");
  }
  const Json* interval = MemberOf(config, "ProfilingIntervalInMilliseconds");
  if (interval != nullptr && std::find(std::begin(kIntervals), std::end(kIntervals),
                                       IntegerOf(interval)) == std::end(kIntervals)) {
    return ValidationError("Invalid ProfilingIntervalInMilliseconds: " + interval->dump() +
                           ". It must be one of 100, 200, 500, 1000, 5000, 60000.");
  }
  return std::nullopt;
}

void CompleteProfilerConfig(const std::string& default_output, Json* config) {
  if (IsTrue(MemberOf(*config, "DisableProfiler"))) return;
  if (!config->contains("S3OutputPath")) (*config)["S3OutputPath"] = default_output;
  if (!config->contains("ProfilingIntervalInMilliseconds")) {
    (*config)["ProfilingIntervalInMilliseconds"] = 500;
  }
  (*config)["DisableProfiler"] = false;
}

std::optional<ApiError> MergeProfilerConfig(const Json& update, Time now, jobs::TrainingJob* job) {
  if (auto error = CheckProfilerConfig(update)) return error;
  if (IsTrue(MemberOf(update, "DisableProfiler"))) {
    SwitchOff(now, job);
    return std::nullopt;
  }
  const std::string before = TextOf(MemberOf(job->request, "ProfilerConfig", "S3OutputPath"));
  const std::string after = TextOf(MemberOf(update, "S3OutputPath"));
  if (!before.empty() && !after.empty() && WithoutSlash(before) != WithoutSlash(after)) {
    return ValidationError(
        "S3OutputPath of ProfilerConfig cannot be changed: the job writes profiles to " + before);
  }
  Json& config = job->request["ProfilerConfig"];
  if (!config.is_object()) config = {{"DisableProfiler", true}};
  for (const auto& item : update.items()) {
    if (item.key() != "S3OutputPath" || before.empty()) config[item.key()] = item.value();
  }
  CompleteProfilerConfig(TextOf(MemberOf(job->request, "OutputDataConfig", "S3OutputPath")),
                         &config);
  return std::nullopt;
}

}  // namespace warden::sagemaker::operations
