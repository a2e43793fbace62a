#ifndef WARDEN_JOBS_LAUNCH_INPUT_DATA_H_
#define WARDEN_JOBS_LAUNCH_INPUT_DATA_H_

// The channels of a job (InputDataConfig): data that programs find in input/data/<channel>.

#include <string>

#include "warden/base/status.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Whether all channels are of a kind that is supported: S3Prefix of S3, in mode File or FastFile.
// kInvalid names the channel and what is accepted. Does not look at the data.
Status CheckInputData(const TrainingJob& job);

// Copies each channel's objects to input/data/<channel> of a host; of a channel that is sharded
// (ShardedByS3Key) only the host's share. objects: the folder of all buckets. kNotFound names a
// channel without objects; kInvalid as CheckInputData, kIo.
Status FetchInputData(const TrainingJob& job, const std::string& host, const HostLayout& layout,
                      const std::string& objects);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_INPUT_DATA_H_
