#ifndef WARDEN_JOBS_LAUNCH_OUTPUTS_H_
#define WARDEN_JOBS_LAUNCH_OUTPUTS_H_

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// A folder that a program writes to and that is part of a bucket: what it writes there is an object
// at once, and all hosts of a job write to the same.
struct OutputFolder {
  std::string kind;  // "DebugHookConfig", the member of the request.
  HostLayout::Place place;
  std::string target;   // The folder of the bucket.
  std::string objects;  // That of all buckets.
};

// Those that the job asks for. kInvalid names the member and what is wrong with it: an address that
// is none, or a path that is needed for something else.
Result<std::vector<OutputFolder>> OutputFoldersOf(const TrainingJob& job, const HostLayout& layout,
                                                  const std::string& objects);

// Makes the host's folders, with links in place of those that are outputs; folders in buckets are
// made as well. Can be done again. kIo, kInvalid.
Status MakeHostFolders(const HostLayout& layout, const std::vector<OutputFolder>& outputs);
// Makes only the links that are not there yet, for a host that runs.
Status LinkOutputs(const HostLayout& layout, const std::vector<OutputFolder>& outputs);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_OUTPUTS_H_
