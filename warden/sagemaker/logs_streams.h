#ifndef WARDEN_SAGEMAKER_LOGS_STREAMS_H_
#define WARDEN_SAGEMAKER_LOGS_STREAMS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/record/job.h"
#include "warden/sagemaker/api.h"

namespace warden::sagemaker {

inline constexpr std::string_view kTrainingGroup = "/aws/sagemaker/TrainingJobs";
inline constexpr std::string_view kProcessingGroup = "/aws/sagemaker/ProcessingJobs";

// The log of one host of a job, or of one rule.
struct LogStream {
  std::string name;    // "<job>/algo-1-<seconds since 1970>".
  std::string folder;  // See logs/log_file.h.
  Time created;
};

bool IsLogGroup(std::string_view group);

// Those of a group that have something in them and whose names begin so, sorted by name; at most
// limit. The errors are the store's.
Result<std::vector<LogStream>> FindStreams(const ApiParts& parts, std::string_view group,
                                           const std::string& prefix, size_t limit);
// kNotFound.
Result<LogStream> FindStream(const ApiParts& parts, std::string_view group,
                             const std::string& name);

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_LOGS_STREAMS_H_
