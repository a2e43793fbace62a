#ifndef WARDEN_SAGEMAKER_OPERATIONS_PROFILER_CONFIG_REQUEST_H_
#define WARDEN_SAGEMAKER_OPERATIONS_PROFILER_CONFIG_REQUEST_H_

// ProfilerConfig of requests that create or update a job.

#include <optional>
#include <string>

#include "warden/jobs/record/job.h"
#include "warden/sagemaker/model/api_error.h"

namespace warden::sagemaker::operations {

// Returns what is wrong with a ProfilerConfig, if anything: members beside DisableProfiler, or an
// interval that is not offered.
std::optional<ApiError> CheckProfilerConfig(const Json& config);

// Adds the defaults that Describe shows. A disabled profiler gets none. default_output:
// S3OutputPath of the job's OutputDataConfig.
void CompleteProfilerConfig(const std::string& default_output, Json* config);

// Applies an update: members that are absent keep their value, others replace it; the rules of a
// profiler that it disables are asked to stop. The output path cannot be changed any more: that is
// an error, as are those of CheckProfilerConfig; *job is unchanged then. For use within
// JobStore::Change.
std::optional<ApiError> MergeProfilerConfig(const Json& update, Time now, jobs::TrainingJob* job);

}  // namespace warden::sagemaker::operations

#endif  // WARDEN_SAGEMAKER_OPERATIONS_PROFILER_CONFIG_REQUEST_H_
