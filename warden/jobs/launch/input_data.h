#ifndef WARDEN_JOBS_LAUNCH_INPUT_DATA_H_
#define WARDEN_JOBS_LAUNCH_INPUT_DATA_H_

#include <string>

#include "warden/base/status.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Whether all channels are of a kind that can be had here. kInvalid names the channel and what is
// accepted.
Status CheckInputData(const TrainingJob& job);

// Copies each channel's objects to input/data/<channel> of a host, or the host's share of them.
// kNotFound names a channel that has none.
Status FetchInputData(const TrainingJob& job, const std::string& host, const HostLayout& layout,
                      const std::string& objects);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_INPUT_DATA_H_
