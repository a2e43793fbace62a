#include "warden/jobs/record/describe.h"

#include "warden/base/json_members.h"
#include "warden/sagemaker/operations/operations.h"

namespace warden::sagemaker::operations {
namespace {

// Clients that wait for a job ask every few seconds: a log that is long is read bit by bit.
constexpr std::chrono::milliseconds kMetricsBudget{200};

void AddFinalMetrics(const Call& call, const jobs::TrainingJob& job, Json* described) {
  if (call.parts.metrics == nullptr || !job.started) return;
  Json metrics = Json::array();
  for (const auto& [name, series] : call.parts.metrics->Of(job, kMetricsBudget)) {
    metrics.push_back({{"MetricName", name},
                       {"Value", series.last()},
                       {"Timestamp", jobs::SecondsJson(series.last_time())}});
  }
  if (!metrics.empty()) (*described)["FinalMetricDataList"] = std::move(metrics);
}

}  // namespace

Outcome DescribeTrainingJob(const Call& call) {
  auto job = call.parts.store->Get(TextOf(MemberOf(call.body, "TrainingJobName")));
  if (!job.ok()) return StoreError(job.status());
  Json described = jobs::DescribeTrainingJob(job.value());
  AddFinalMetrics(call, job.value(), &described);
  return described;
}

}  // namespace warden::sagemaker::operations
