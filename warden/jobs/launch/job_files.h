#ifndef WARDEN_JOBS_LAUNCH_JOB_FILES_H_
#define WARDEN_JOBS_LAUNCH_JOB_FILES_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/status.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// What programs, the toolkit and hooks read below input/config, in SageMaker's formats.

Json ResourceConfigOf(const TrainingJob& job, const std::string& host);
Json InputDataConfigOf(const TrainingJob& job);
// With paths as the program sees them. Nothing if the job has none. kInvalid as PlaceOf.
Result<std::optional<Json>> DebugHookConfigOf(const TrainingJob& job, const HostLayout& layout);
Result<std::optional<Json>> ProfilerConfigOf(const TrainingJob& job, const HostLayout& layout);

// Writes all files of a host.
Status WriteJobFiles(const TrainingJob& job, const std::string& host, const HostLayout& layout);
// Writes the one that changes while a job runs.
Status WriteProfilerConfig(const TrainingJob& job, const HostLayout& layout);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_JOB_FILES_H_
