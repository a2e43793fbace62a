#include <algorithm>

#include "warden/base/json_members.h"
#include "warden/jobs/record/describe.h"
#include "warden/jobs/record/description.h"
#include "warden/jobs/record/short_text.h"

namespace warden::jobs {
namespace {

Json Transitions(const TrainingJob& job, TimeForm time_form) {
  Json list = Json::array();
  for (const Transition& each : job.transitions) {
    Json element = {{"Status", NameOf(each.status)}, {"StartTime", time_form(each.start)}};
    if (each.end) element["EndTime"] = time_form(*each.end);
    // Always, also when empty: the SDK fails on an element without.
    element["StatusMessage"] = each.message;
    list.push_back(std::move(element));
  }
  return list;
}

Json Evaluation(const TrainingJob& job, const RuleJob& rule, TimeForm time_form) {
  Json status = {{"RuleConfigurationName", rule.Name()}};
  // Clients take its presence for the existence of the processing job.
  if (rule.launched) status["RuleEvaluationJobArn"] = job.RuleArn(rule);
  status["RuleEvaluationStatus"] = NameOf(rule.status);
  if (!rule.details.empty()) status["StatusDetails"] = ShortText(rule.details);
  status["LastModifiedTime"] = time_form(rule.modified);
  return status;
}

// Configurations and statuses of the rules of one kind, in the same order.
void AddRules(const TrainingJob& job, RuleJob::Kind kind, const char* configurations,
              const char* statuses, TimeForm time_form, Json* members) {
  Json configs = Json::array(), evaluations = Json::array();
  for (const RuleJob& rule : job.rules) {
    if (rule.kind != kind) continue;
    configs.push_back(rule.config);
    evaluations.push_back(Evaluation(job, rule, time_form));
  }
  if (configs.empty()) return;
  (*members)[configurations] = std::move(configs);
  (*members)[statuses] = std::move(evaluations);
}

void AddTimes(const TrainingJob& job, TimeForm time_form, Json* members) {
  (*members)["CreationTime"] = time_form(job.created);
  (*members)["LastModifiedTime"] = time_form(job.modified);
  // One that is starting waits in a queue.
  const bool queued = job.secondary == SecondaryStatus::kStarting && !job.ended;
  if (!job.started || queued) return;
  (*members)["TrainingStartTime"] = time_form(*job.started);
  if (!job.ended) return;
  (*members)["TrainingEndTime"] = time_form(*job.ended);
  const auto took = std::chrono::round<std::chrono::seconds>(*job.ended - *job.started).count();
  const auto seconds = std::max<int64_t>(took, 1);  // The least that the API's model has.
  (*members)["TrainingTimeInSeconds"] = seconds;
  (*members)["BillableTimeInSeconds"] = seconds;
}

// There is no pool here: what was to be kept warm is gone when the job is.
void AddWarmPool(const TrainingJob& job, Json* members) {
  const Json* seconds = MemberOf(job.request, "ResourceConfig", "KeepAlivePeriodInSeconds");
  if (seconds == nullptr || !IsOver(job.status)) return;
  (*members)["WarmPoolStatus"] = {{"Status", "Terminated"}};
}

}  // namespace

Json TrainingJobMembers(const TrainingJob& job, TimeForm time_form) {
  Json members = {{"TrainingJobName", job.name},
                  {"TrainingJobArn", job.Arn()},
                  {"ModelArtifacts", {{"S3ModelArtifacts", job.ModelArtifacts()}}},
                  {"TrainingJobStatus", NameOf(job.status)},
                  {"SecondaryStatus", NameOf(job.secondary)}};
  if (!job.failure_reason.empty()) members["FailureReason"] = ShortText(job.failure_reason);
  if (job.request.is_object()) {
    for (const auto& item : job.request.items()) {
      if (!members.contains(item.key())) members[item.key()] = item.value();
    }
  }
  AddTimes(job, time_form, &members);
  members["SecondaryStatusTransitions"] = Transitions(job, time_form);
  AddRules(job, RuleJob::Kind::kDebug, "DebugRuleConfigurations", "DebugRuleEvaluationStatuses",
           time_form, &members);
  AddRules(job, RuleJob::Kind::kProfiler, "ProfilerRuleConfigurations",
           "ProfilerRuleEvaluationStatuses", time_form, &members);
  members["ProfilingStatus"] = job.IsProfiled() ? "Enabled" : "Disabled";
  AddWarmPool(job, &members);
  return members;
}

Json DescribeTrainingJob(const TrainingJob& job) { return TrainingJobMembers(job, &SecondsJson); }

Json SummarizeTrainingJob(const TrainingJob& job) {
  Json summary = {{"TrainingJobName", job.name},
                  {"TrainingJobArn", job.Arn()},
                  {"CreationTime", SecondsJson(job.created)},
                  {"LastModifiedTime", SecondsJson(job.modified)},
                  {"TrainingJobStatus", NameOf(job.status)},
                  {"SecondaryStatus", NameOf(job.secondary)}};
  if (job.started && job.ended) summary["TrainingEndTime"] = SecondsJson(*job.ended);
  AddWarmPool(job, &summary);
  return summary;
}

}  // namespace warden::jobs
