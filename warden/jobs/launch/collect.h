#ifndef WARDEN_JOBS_LAUNCH_COLLECT_H_
#define WARDEN_JOBS_LAUNCH_COLLECT_H_

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// Packs what the hosts have left in model and output/data into model.tar.gz and output.tar.gz, each
// put into its bucket whole. Where several hosts have a file of one name, the first host's counts.
// There is always a model; an output only if there is something in it.
// uploads: a folder for the unfinished, on the file system of the buckets.
Status CollectArtifacts(const TrainingJob& job, const std::vector<HostLayout>& hosts,
                        const std::string& objects, const std::string& uploads);

// Whoever reads the job's tensors and profiles knows from here on that nothing more will come.
Status MarkEnds(const TrainingJob& job, const std::string& objects);
// kExists if an earlier job of that name has written to the same place and has ended: hooks refuse
// to mix the two, and rules would take the old end for this one's.
Status CheckNotMarked(const TrainingJob& job, const std::string& objects);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_COLLECT_H_
