#include <fmt/format.h>

#include "warden/base/json_members.h"
#include "warden/jobs/launch/outputs.h"
#include "warden/sagemaker/operations/call.h"
#include "warden/sagemaker/operations/operations.h"
#include "warden/sagemaker/operations/profiler_config_request.h"
#include "warden/sagemaker/operations/rule_jobs.h"

namespace warden::sagemaker::operations {
namespace {

constexpr size_t kMostRules = 20;
constexpr int kUpdateTries = 3;

using Problem = std::optional<ApiError>;

// The member, unless it asks for nothing.
const Json* Wish(const Json& body, std::string_view name) {
  const Json* member = MemberOf(body, name);
  return member == nullptr || member->empty() ? nullptr : member;
}

Problem UpdateProfiler(const Json& config, Time now, jobs::TrainingJob* job) {
  if (job->status != jobs::JobStatus::kInProgress)
    return WrongStatus("training", jobs::NameOf(job->status));
  return MergeProfilerConfig(config, now, job);
}

// They are added to those that are there; none can be changed or taken away.
Problem AddRules(const Json& configurations, Time now, jobs::TrainingJob* job) {
  if (job->status != jobs::JobStatus::kInProgress)
    return WrongStatus("training", jobs::NameOf(job->status));
  if (!job->IsProfiled()) {
    return ValidationError(
        "ProfilerRuleConfigurations cannot be specified when the profiler is disabled");
  }
  std::vector<std::string> names;
  size_t count = configurations.size();
  for (const jobs::RuleJob& rule : job->rules) {
    names.push_back(rule.Name());
    if (rule.kind == jobs::RuleJob::Kind::kProfiler) ++count;
  }
  if (count > kMostRules) {
    return ValidationError(
        fmt::format("A job can have at most {} profiler rules; with this request it would have {}",
                    kMostRules, count));
  }
  if (auto error = CheckRules(&configurations, &names)) return error;
  AddRuleJobs(&configurations, jobs::RuleJob::Kind::kProfiler, now, job);
  return std::nullopt;
}

Problem UpdateRemoteDebug(const Json& config, jobs::TrainingJob* job) {
  const jobs::SecondaryStatus at = job->secondary;
  if (at != jobs::SecondaryStatus::kStarting && at != jobs::SecondaryStatus::kDownloading &&
      at != jobs::SecondaryStatus::kTraining) {
    return ValidationError(
        fmt::format("RemoteDebugConfig can be updated only while the secondary status is "
                    "Downloading or Training; it is {}.",
                    jobs::NameOf(at)));
  }
  job->request["RemoteDebugConfig"] = config;
  return std::nullopt;
}

// Nothing is kept warm here, so that there is only something to let go.
Problem UpdateKeepAlive(const Json& config, jobs::TrainingJob* job) {
  const Json* before = MemberOf(job->request, "ResourceConfig", "KeepAlivePeriodInSeconds");
  if (before == nullptr) {
    return ValidationError(
        "KeepAlivePeriodInSeconds can be updated only if it was set when the training job was "
        "created");
  }
  if (job->status != jobs::JobStatus::kCompleted) {
    return WrongStatus("training", jobs::NameOf(job->status));
  }
  const int64_t seconds = IntegerOf(MemberOf(config, "KeepAlivePeriodInSeconds"));
  if (seconds > 0) {
    return ValidationError(
        "The warm pool of the training job is in status Terminated; it cannot be extended");
  }
  job->request["ResourceConfig"]["KeepAlivePeriodInSeconds"] = seconds;
  return std::nullopt;
}

// A job that could not write there would end badly, long after this was answered.
Problem CheckOutputs(const Call& call, const jobs::TrainingJob& job) {
  const service::DataLayout layout(call.parts.options->data);
  const jobs::HostLayout host(layout.Host(job.name, job.Hosts().front()),
                              jobs::HostLayout::View::kHere);
  const auto outputs = jobs::OutputFoldersOf(job, host, layout.Objects());
  if (!outputs.ok()) return ValidationError(outputs.status().message());
  return std::nullopt;
}

Problem Apply(const Json& body, Time now, jobs::TrainingJob* job) {
  if (const Json* config = Wish(body, "ProfilerConfig")) {
    if (auto error = UpdateProfiler(*config, now, job)) return error;
  }
  if (const Json* rules = Wish(body, "ProfilerRuleConfigurations")) {
    if (auto error = AddRules(*rules, now, job)) return error;
  }
  if (const Json* config = Wish(body, "RemoteDebugConfig")) {
    if (auto error = UpdateRemoteDebug(*config, job)) return error;
  }
  if (const Json* config = Wish(body, "ResourceConfig")) {
    if (auto error = UpdateKeepAlive(*config, job)) return error;
  }
  return std::nullopt;
}

bool AsksForNothing(const Json& body) {
  for (const char* name :
       {"ProfilerConfig", "ProfilerRuleConfigurations", "RemoteDebugConfig", "ResourceConfig"}) {
    if (Wish(body, name) != nullptr) return false;
  }
  return true;
}

}  // namespace

Outcome UpdateTrainingJob(const Call& call) {
  const std::string name = TextOf(MemberOf(call.body, "TrainingJobName"));
  if (AsksForNothing(call.body)) {
    return ValidationError(
        "The request contains no update; set ProfilerConfig, ProfilerRuleConfigurations, "
        "RemoteDebugConfig or ResourceConfig");
  }
  Problem refused;
  Status status;
  // More than once only where the random part of a new rule's name was taken.
  for (int i = 0; i < kUpdateTries; ++i) {
    auto changed = call.parts.store->Change(name, [&](jobs::TrainingJob* job) {
      refused = Apply(call.body, Now(), job);
      if (!refused) refused = CheckOutputs(call, *job);
      return refused ? Status(Code::kInvalid, refused->message) : Status();
    });
    if (refused) return std::move(*refused);
    status = changed.status();
    if (status.ok()) {
      call.parts.supervisor->Wake(name);
      return Json{{"TrainingJobArn", changed.value().Arn()}};
    }
    if (status.code() != Code::kExists) break;
  }
  return StoreError(status);
}

}  // namespace warden::sagemaker::operations
