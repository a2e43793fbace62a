#ifndef WARDEN_SAGEMAKER_LOGS_STREAMS_H_
#define WARDEN_SAGEMAKER_LOGS_STREAMS_H_

// The logs of jobs under the names that CloudWatch has for them. SageMaker's SDK finds the log of a
// job by these names.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"
#include "warden/sagemaker/api.h"

namespace warden::sagemaker {

// The two log groups: hosts of training jobs, and rules.
inline constexpr std::string_view kTrainingGroup = "/aws/sagemaker/TrainingJobs";
inline constexpr std::string_view kProcessingGroup = "/aws/sagemaker/ProcessingJobs";  // Rules.

// The log of one host of a job, or of one rule: "mnist-1/algo-1-1763251200". Not opened yet:
// reading is up to logs_events.h.
struct LogStream {
  std::string name;    // "<job>/algo-1-<seconds since 1970>".
  std::string folder;  // For jobs::ReadLog (jobs/logs/log_file.h).
  Time created;        // When the job was created.
};

// Whether it is one of the two.
bool IsLogGroup(std::string_view group);

// Returns the streams of a group that have any output and whose names begin with prefix, sorted by
// name; at most limit. Empty for an unknown group. A prefix with '/' names the job and is fast;
// others search all jobs. Errors are the store's. A search reads jobs from the store a hundred at a
// time, until there are enough.
Result<std::vector<LogStream>> FindStreams(const ApiParts& parts, std::string_view group,
                                           const std::string& prefix, size_t limit);
// kNotFound if there is no stream of that name, or it has no output yet.
Result<LogStream> FindStream(const ApiParts& parts, std::string_view group,
                             const std::string& name);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_LOGS_STREAMS_H_
