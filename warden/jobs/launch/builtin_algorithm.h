#ifndef WARDEN_JOBS_LAUNCH_BUILTIN_ALGORITHM_H_
#define WARDEN_JOBS_LAUNCH_BUILTIN_ALGORITHM_H_

// Algorithms that images of Amazon's contain and this service brings along: a job that names such
// an image and no program of its own is run by python/tensorwarden/algorithms.

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"
#include "warden/service/options.h"

namespace warden::jobs {

// "xgboost" for an image such as "1.dkr.ecr.example/sagemaker-xgboost:1.2-1"; empty: none is built
// in, or the job brings its own program.
std::string BuiltinAlgorithmOf(const TrainingJob& job);

// Whether it can be run here. kInvalid: the job has several hosts, or the Python packages are
// missing. True of jobs without one.
Status CheckBuiltinAlgorithm(const TrainingJob& job, const service::ServiceOptions& options);

// The command that trains. REQUIRES: CheckBuiltinAlgorithm.
std::vector<std::string> BuiltinAlgorithmWords(const std::string& algorithm,
                                               const std::string& python,
                                               const service::ServiceOptions& options);

// Adds the metrics that the job's algorithm prints to AlgorithmSpecification.MetricDefinitions of
// its request, as Amazon does. Those that the request defines itself stay. Leaves other jobs alone.
void AddBuiltinMetrics(TrainingJob* job);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_BUILTIN_ALGORITHM_H_
