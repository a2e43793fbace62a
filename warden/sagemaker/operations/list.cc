#include "warden/base/json_members.h"
#include "warden/jobs/record/describe.h"
#include "warden/sagemaker/operations/list_query.h"
#include "warden/sagemaker/operations/operations.h"

namespace warden::sagemaker::operations {
namespace {

// Filters that few use, on what the store has no column for: pages may be shorter for it.
bool IsWanted(const Json& body, const jobs::TrainingJob& job, const Json& summary) {
  const std::string pool = TextOf(MemberOf(body, "WarmPoolStatusEquals"));
  if (!pool.empty() && TextOf(MemberOf(summary, "WarmPoolStatus", "Status")) != pool) return false;
  const std::string plan = TextOf(MemberOf(body, "TrainingPlanArnEquals"));
  return plan.empty() || TextOf(MemberOf(job.request, "ResourceConfig", "TrainingPlanArn")) == plan;
}

ApiError ListError(const Status& status) {
  if (status.code() == Code::kInvalid) return ValidationError(status.message());
  return InternalError(status);
}

}  // namespace

Outcome ListTrainingJobs(const Call& call) {
  auto page = call.parts.store->List(ListQueryOf(call.body));
  if (!page.ok()) return ListError(page.status());
  Json items = Json::array();
  for (const jobs::TrainingJob& job : page.value().items) {
    Json summary = jobs::SummarizeTrainingJob(job);
    if (IsWanted(call.body, job, summary)) items.push_back(std::move(summary));
  }
  return PageJson("TrainingJobSummaries", std::move(items), page.value().next_token);
}

Outcome ListProcessingJobs(const Call& call) {
  auto page = call.parts.store->ListRuleJobs(ListQueryOf(call.body));
  if (!page.ok()) return ListError(page.status());
  Json items = Json::array();
  for (const auto& [job, rule] : page.value().items) {
    items.push_back(jobs::SummarizeRuleJob(job, job.rules[rule]));
  }
  return PageJson("ProcessingJobSummaries", std::move(items), page.value().next_token);
}

}  // namespace warden::sagemaker::operations
