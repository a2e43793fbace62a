#ifndef WARDEN_SAGEMAKER_OPERATIONS_PROFILER_CONFIG_H_
#define WARDEN_SAGEMAKER_OPERATIONS_PROFILER_CONFIG_H_

#include <optional>
#include <string>

#include "warden/jobs/record/job.h"
#include "warden/sagemaker/model/error.h"

namespace warden::sagemaker::operations {

// What is wrong with a ProfilerConfig of a request, whether it makes a job or changes one.
std::optional<ApiError> CheckProfilerConfig(const Json& config);

// Adds what Describe tells beside what was asked for. A profiler that is switched off has nothing.
void CompleteProfilerConfig(const std::string& default_output, Json* config);

// An update: members that are absent keep their value, others replace it; the rules of a profiler
// that it switches off are asked to stop. The place of the output cannot be changed any more.
std::optional<ApiError> MergeProfilerConfig(const Json& update, Time now, jobs::TrainingJob* job);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_PROFILER_CONFIG_H_
