#include "warden/jobs/record/job.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json_members.h"
#include "warden/jobs/record/short_text.h"

namespace warden::jobs {
namespace {

// What no request may exceed, so that a wrong number of hosts costs nothing.
constexpr int64_t kMostHosts = 1000;

std::string ArnOf(const TrainingJob& job, std::string_view kind, std::string_view name) {
  return fmt::format("arn:aws:sagemaker:{}:{}:{}/{}", job.region, job.account, kind, name);
}

// "s3://bucket/prefix" of an object of the request, without '/' at its end; empty if there is none.
std::string Place(const TrainingJob& job, std::string_view object) {
  std::string path = TextOf(MemberOf(job.request, object, "S3OutputPath"));
  while (path.ends_with('/')) path.pop_back();
  return path;
}

std::string Below(const std::string& place, const TrainingJob& job, std::string_view folder) {
  return place.empty() ? std::string() : fmt::format("{}/{}/{}", place, job.name, folder);
}

JobStatus StatusWith(SecondaryStatus secondary) {
  switch (secondary) {
    case SecondaryStatus::kStopping: return JobStatus::kStopping;
    case SecondaryStatus::kStopped:
    case SecondaryStatus::kMaxRuntimeExceeded: return JobStatus::kStopped;
    case SecondaryStatus::kCompleted: return JobStatus::kCompleted;
    case SecondaryStatus::kFailed: return JobStatus::kFailed;
    default: return JobStatus::kInProgress;
  }
}

}  // namespace

Json SecondsJson(Time time) { return static_cast<double>(time.time_since_epoch().count()) / 1e3; }

std::string RuleJob::Name() const { return TextOf(MemberOf(config, "RuleConfigurationName")); }

std::string TrainingJob::Arn() const { return ArnOf(*this, "training-job", name); }

std::string TrainingJob::RuleArn(const RuleJob& rule) const {
  return ArnOf(*this, "processing-job", rule.job_name);
}

bool TrainingJob::IsProfiled() const {
  const Json* config = MemberOf(request, "ProfilerConfig");
  return config != nullptr && config->is_object() && !IsTrue(MemberOf(*config, "DisableProfiler"));
}

std::vector<std::string> TrainingJob::Hosts() const {
  int64_t count = 0;
  const Json* groups = MemberOf(request, "ResourceConfig", "InstanceGroups");
  if (groups != nullptr && groups->is_array() && !groups->empty()) {
    for (const Json& group : *groups) {
      count += std::clamp<int64_t>(IntegerOf(MemberOf(group, "InstanceCount")), 0, kMostHosts);
    }
  } else {
    count = IntegerOf(MemberOf(request, "ResourceConfig", "InstanceCount"));
  }
  std::vector<std::string> hosts;
  for (int64_t i = 1; i <= std::clamp<int64_t>(count, 1, kMostHosts); ++i) {
    hosts.push_back(fmt::format("algo-{}", i));
  }
  return hosts;
}

std::string TrainingJob::DebugOutput() const {
  return Below(Place(*this, "DebugHookConfig"), *this, "debug-output");
}

std::string TrainingJob::ProfilerOutput() const {
  return Below(Place(*this, "ProfilerConfig"), *this, "profiler-output");
}

std::string TrainingJob::TensorBoardOutput() const {
  return Below(Place(*this, "TensorBoardOutputConfig"), *this, "tensorboard-output");
}

std::string TrainingJob::RuleOutput(const RuleJob& rule) const {
  std::string own = TextOf(MemberOf(rule.config, "S3OutputPath"));
  while (own.ends_with('/')) own.pop_back();
  if (!own.empty()) return own;
  return Below(Place(*this, "OutputDataConfig"), *this, "rule-output/" + rule.Name());
}

std::string TrainingJob::ModelArtifacts() const {
  return Below(Place(*this, "OutputDataConfig"), *this,
               HasPackedModel() ? "output/model.tar.gz" : "output/model");
}

bool TrainingJob::HasPackedModel() const {
  return TextOf(MemberOf(request, "OutputDataConfig", "CompressionType")) != "NONE";
}

std::optional<std::chrono::seconds> TrainingJob::LongestRun() const {
  const Json* limit = MemberOf(request, "StoppingCondition", "MaxRuntimeInSeconds");
  if (limit == nullptr || !limit->is_number_integer()) return std::nullopt;
  constexpr int64_t kTenYears = 10LL * 366 * 24 * 3600;
  return std::chrono::seconds(std::clamp<int64_t>(limit->get<int64_t>(), 1, kTenYears));
}

void Enter(TrainingJob* job, SecondaryStatus status, std::string message, Time now) {
  job->modified = now;
  if (!job->transitions.empty()) {
    Transition& present = job->transitions.back();
    if (present.status == status && job->secondary == status) {
      present.message = std::move(message);
      return;
    }
    present.end = now;
  }
  job->secondary = status;
  job->status = StatusWith(status);
  job->transitions.push_back({status, now, std::nullopt, std::move(message)});
}

bool RequestStop(TrainingJob* job, StopCause cause, Time now) {
  if (job->status != JobStatus::kInProgress) return false;
  job->stop_cause = cause;
  Enter(job, SecondaryStatus::kStopping, "Stopping the training job", now);
  return true;
}

void SetRuleStatus(TrainingJob* job, size_t rule, RuleStatus status, std::string details,
                   Time now) {
  RuleJob& changed = job->rules[rule];
  changed.status = status;
  changed.details = ShortText(details);
  if (!IsOver(status)) {
    changed.ended.reset();
  } else if (!changed.ended) {
    changed.ended = now;
  }
  changed.modified = now;
  job->modified = now;
}

}  // namespace warden::jobs
