#include "warden/base/json_members.h"
#include "warden/jobs/record/describe.h"
#include "warden/sagemaker/operations/call.h"
#include "warden/sagemaker/operations/operations.h"
#include "warden/sagemaker/operations/rule_jobs.h"

namespace warden::sagemaker::operations {
namespace {

std::string NameIn(const Call& call) { return TextOf(MemberOf(call.body, "ProcessingJobName")); }

ApiError RuleJobError(const Call& call, const Status& status) {
  if (status.code() != Code::kNotFound) return InternalError(status);
  return ValidationError("Could not find requested job with name: " + NameIn(call));
}

}  // namespace

Outcome CreateProcessingJob(const Call&) {
  return ValidationError(
      "This service runs processing jobs only for the rules of training jobs; pass rules to "
      "CreateTrainingJob");
}

Outcome DescribeProcessingJob(const Call& call) {
  auto found = call.parts.store->FindRuleJob(NameIn(call));
  if (!found.ok()) return RuleJobError(call, found.status());
  const auto& [job, rule] = found.value();
  return jobs::DescribeRuleJob(job, job.rules[rule]);
}

Outcome StopProcessingJob(const Call& call) {
  auto found = call.parts.store->FindRuleJob(NameIn(call));
  if (!found.ok()) return RuleJobError(call, found.status());
  const auto& [found_job, place] = found.value();
  const size_t rule = place;  // Rules are only ever added at the end.
  auto changed =
      ChangeJob(call, found_job.name, [&](jobs::TrainingJob* job) -> std::optional<ApiError> {
        if (rule >= job->rules.size() || job->rules[rule].job_name != NameIn(call)) {
          return NotFoundError();  // Deleted, and another one made under its name.
        }
        const jobs::RuleStatus status = job->rules[rule].status;
        if (status != jobs::RuleStatus::kInProgress) {
          return WrongStatus("processing", jobs::ProcessingStatusOf(status));
        }
        AskToStop(rule, Now(), job);
        return std::nullopt;
      });
  if (auto* error = std::get_if<ApiError>(&changed)) return std::move(*error);
  call.parts.supervisor->Wake(found_job.name);
  return Json(nullptr);
}

}  // namespace warden::sagemaker::operations
