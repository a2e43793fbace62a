#ifndef WARDEN_JOBS_LAUNCH_COLLECT_H_
#define WARDEN_JOBS_LAUNCH_COLLECT_H_

// What happens when all hosts of a job have ended. All calls can be repeated after a crash.
// objects: the folder of all buckets; nothing in it is reached through a link, since programs may
// have left some.

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Packs what the hosts left in model and output/data into model.tar.gz and output.tar.gz, each put
// into its bucket in one step. If several hosts have a file of one name, the first host's counts.
// There is always a model archive; an output archive only if there is something in it. A job that
// wants its model uncompressed gets the files themselves, without links. uploads: a
// folder for drafts, on the file system of the buckets. kInvalid if the job's OutputDataConfig is
// malformed or folders are nested too deeply; kIo.
Status CollectArtifacts(const TrainingJob& job, const std::vector<HostLayout>& hosts,
                        const std::string& objects, const std::string& uploads);

// Copies what hosts left of profiles in their own folders to the bucket: that of a job which was
// not profiled when it was started in a box (LinkOutputs). Errors as above.
Status CollectProfiles(const TrainingJob& job, const std::vector<HostLayout>& hosts,
                       const std::string& objects);

// Marks the ends of the job's tensors and profiles: readers know from here on that nothing more
// will come. Tries all of them, and returns the first error.
Status MarkEnds(const TrainingJob& job, const std::string& objects);
// kExists if an earlier job of that name has written to the same place and ended: hooks refuse to
// mix the two, and rules would take the old end for this one's.
Status CheckNotMarked(const TrainingJob& job, const std::string& objects);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_COLLECT_H_
