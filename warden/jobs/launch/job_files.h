#ifndef WARDEN_JOBS_LAUNCH_JOB_FILES_H_
#define WARDEN_JOBS_LAUNCH_JOB_FILES_H_

// The files that programs, the toolkit and hooks read in /opt/ml/input/config, in SageMaker's
// formats.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/json.h"
#include "warden/base/status.h"
#include "warden/jobs/launch/host_layout.h"
#include "warden/jobs/record/job.h"

namespace warden::jobs {

// resourceconfig.json: the hosts of the job, under the names that SageMaker would give them, and
// which of them this is. interface: of the network between them.
Json ResourceConfigOf(const TrainingJob& job, const std::string& host,
                      const std::string& interface = "lo");
// inputdataconfig.json: the channels by name; empty without channels.
Json InputDataConfigOf(const TrainingJob& job);
// debughookconfig.json and profilerconfig.json, with paths as the program sees them. Nothing if the
// job has none. kInvalid as HostLayout::PlaceOf.
Result<std::optional<Json>> DebugHookConfigOf(const TrainingJob& job, const HostLayout& layout);
Result<std::optional<Json>> ProfilerConfigOf(const TrainingJob& job, const HostLayout& layout);

// Writes all files of a host, each in one step; removes those that the job has no configuration
// for. The folder exists (MakeHostFolders). kInvalid as above, kIo. Called again for a job that is
// prepared again after a restart: the files become the same.
Status WriteJobFiles(const TrainingJob& job, const std::string& host, const HostLayout& layout,
                     const std::string& interface = "lo");
// Writes the one that changes while a job runs: hooks and the monitor follow it. Replaced as a
// whole, so that nobody reads half of it. kNotFound if the program has put a link in place of the
// folder or of one above it; nothing is written then.
Status WriteProfilerConfig(const TrainingJob& job, const HostLayout& layout);

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_JOB_FILES_H_
