#ifndef WARDEN_JOBS_LAUNCH_OUTPUTS_H_
#define WARDEN_JOBS_LAUNCH_OUTPUTS_H_

// The folders that a job writes to and that are part of buckets: tensors, profiles, TensorBoard,
// checkpoints.

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// A folder that a program writes to and that is part of a bucket: what it writes there is an object
// at once, and all hosts of a job write to the same.
struct OutputFolder {
  std::string kind;         // "DebugHookConfig": the member of the request.
  HostLayout::Place place;  // Where the program writes.
  std::string target;       // The folder in the bucket.
  std::string objects;      // The folder of all buckets.
};

// Returns those that the job asks for. objects: the folder of all buckets (DataLayout::Objects).
// kInvalid names the member and what is wrong with it: a malformed address, or a LocalPath that is
// reserved or overlaps with another. Changes nothing on disk.
Result<std::vector<OutputFolder>> OutputFoldersOf(const TrainingJob& job, const HostLayout& layout,
                                                  const std::string& objects);

// Makes the host's folders, with links in place of those that are outputs (a container gets them
// mounted), and the folders in buckets. Never through a link that another job left in a bucket. Can
// be repeated. kIo, kExists.
Status MakeHostFolders(const HostLayout& layout, const std::vector<OutputFolder>& outputs);
// Makes only what is missing for the outputs. running: the host runs. Errors as above.
Status LinkOutputs(const HostLayout& layout, const std::vector<OutputFolder>& outputs,
                   bool running = false);

// The link to the folder of profiles that a host's monitor writes to if the job is profiled only
// later. In the agent's folder, where no program can replace it.
std::string ProfilerLinkOf(const HostLayout& layout);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_OUTPUTS_H_
