#ifndef WARDEN_SAGEMAKER_METRICS_JOB_METRICS_H_
#define WARDEN_SAGEMAKER_METRICS_JOB_METRICS_H_

// The metrics of jobs: what MetricDefinitions find in their logs, and what their programs report in
// files below $SAGEMAKER_METRICS_DIRECTORY, as hooks do for save_scalar(..., sm_metric=True).

#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "warden/jobs/record/job.h"
#include "warden/sagemaker/metrics/metric_series.h"
#include "warden/service/options.h"

namespace warden::sagemaker {

using MetricsByName = std::map<std::string, MetricSeries, std::less<>>;

// Reads metrics when they are asked for, and remembers how far it has read: nothing runs in the
// background, and a log is read once. Safe for many threads. What was printed by a job is foreign:
// time and memory are bounded whatever it contains.
class JobMetrics {
 public:
  static constexpr size_t kMostMetrics = 200;  // Of one job; later ones are left out.

  // options outlives it.
  explicit JobMetrics(const service::ServiceOptions* options);
  ~JobMetrics();

  // All metrics of the job so far. Reads what is new for at most about `budget`: of a log that was
  // never read before, and is larger than can be read so fast, the rest follows in the next calls.
  MetricsByName Of(const jobs::TrainingJob& job, std::chrono::milliseconds budget);

 private:
  class Reader;  // Of one job.

  std::shared_ptr<Reader> ReaderOf(const jobs::TrainingJob& job);

  const service::ServiceOptions* const options_;
  std::mutex mutex_;                            // Guards the list.
  std::list<std::shared_ptr<Reader>> readers_;  // The last used first; only some are kept.
};

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_METRICS_JOB_METRICS_H_
