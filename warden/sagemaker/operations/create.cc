#include <fmt/format.h>

#include <optional>

#include "warden/base/json_members.h"
#include "warden/jobs/record/short_text.h"
#include "warden/jobs/rules/rule_launch.h"
#include "warden/sagemaker/operations/new_job.h"
#include "warden/sagemaker/operations/operations.h"
#include "warden/sagemaker/operations/why_not_sent.h"

namespace warden::sagemaker::operations {
namespace {

constexpr int kCreateTries = 3;

Json AnswerFor(const jobs::TrainingJob& job) { return {{"TrainingJobArn", job.Arn()}}; }

// There is a job of that name: fine if this very request made it, and only the answer was lost.
Outcome AnswerExisting(const Call& call, const jobs::TrainingJob& existing) {
  const auto made = call.parts.store->MadeBy({call.identity.access_key, call.invocation_id});
  if (made == existing.name) return AnswerFor(existing);
  return ApiError{"ResourceInUse",
                  "Training job names must be unique within an AWS account and region, and a "
                  "training job with this name already exists (" +
                      existing.Arn() + ")"};
}

// A rule may compare with another job, which must exist: better said now than by a rule in status
// Error.
std::optional<ApiError> CheckOtherJobs(const Call& call) {
  const Json* rules = MemberOf(call.body, "DebugRuleConfigurations");
  if (rules == nullptr) return std::nullopt;
  for (const Json& config : *rules) {
    for (const std::string& name : jobs::JobsToCompareWith(config)) {
      if (call.parts.store->Get(name).status().code() != Code::kNotFound) continue;
      return ValidationError(
          fmt::format("Rule configuration \"{}\": other_trials is '{}'; expected the name of a "
                      "training job, an "
                      "s3:// address or the path of a run",
                      TextOf(MemberOf(config, "RuleConfigurationName")), name));
    }
  }
  return std::nullopt;
}

// Mail and text messages that nobody would get.
void WarnOfActions(const Call& call, jobs::TrainingJob* job) {
  for (jobs::RuleJob& rule : job->rules) {
    const std::string why = WhyNotSent(rule.config, call.parts.options->actions_file);
    if (why.empty()) continue;
    rule.details = jobs::ShortText(
        fmt::format("{}{}Warning: {}", rule.details, rule.details.empty() ? "" : ". ", why));
    WarnOf(fmt::format("actions of rule {}: {}", rule.Name(), why), job);
  }
}

Outcome Keep(const Call& call) {
  Status status;
  for (int i = 0; i < kCreateTries; ++i) {
    jobs::TrainingJob job = NewJob(call.body, call.identity, Now());
    WarnOfActions(call, &job);
    status = call.parts.launcher->Check(job);
    if (status.code() == Code::kInvalid) return ValidationError(status.message());
    if (!status.ok()) return InternalError(status);
    status = call.parts.store->Create(job, {call.identity.access_key, call.invocation_id});
    if (status.ok()) {
      call.parts.supervisor->Wake(job.name);
      return AnswerFor(job);
    }
    if (status.code() != Code::kExists) return InternalError(status);
    auto existing = call.parts.store->Get(job.name);
    if (existing.ok()) return AnswerExisting(call, existing.value());
    // The random part of a rule's name was taken: once more, with others.
  }
  return InternalError(status);
}

}  // namespace

Outcome CreateTrainingJob(const Call& call) {
  const std::string name = TextOf(MemberOf(call.body, "TrainingJobName"));
  auto existing = call.parts.store->Get(name);
  if (existing.ok()) return AnswerExisting(call, existing.value());
  if (auto error = CheckNewJob(call.body)) return std::move(*error);
  if (auto error = CheckOtherJobs(call)) return std::move(*error);
  return Keep(call);
}

}  // namespace warden::sagemaker::operations
