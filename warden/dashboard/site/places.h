#ifndef WARDEN_DASHBOARD_SITE_PLACES_H_
#define WARDEN_DASHBOARD_SITE_PLACES_H_

// Where runs are: of jobs by their configuration, of others by searching folders. Used by RunSet
// and by the viewer of `warden run --open`. Functions of the file system without memory; safe for
// many threads.

#include <string>
#include <vector>

#include "warden/dashboard/core/open_run.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// Where the files of a job are. Outputs in a bucket of this service are mapped to its folder; those
// that are elsewhere are empty. Nothing is read.
RunPlaces PlacesOfJob(const service::ServiceOptions& options, const jobs::TrainingJob& job);

// Where a rule of a job keeps its records: has status.json and firings.jsonl. Empty: not on this
// machine.
std::string RecordsOfRule(const service::ServiceOptions& options, const jobs::TrainingJob& job,
                          const jobs::RuleJob& rule);

// The result of a search.
struct FoundRuns {
  std::vector<RunPlaces> runs;
  std::vector<std::string> problems;    // Folders that cannot be read, and that there are too many.
  std::vector<std::string> with_trash;  // Folders from which runs were deleted (run_trash.h).
};

// The runs in the folders and up to 8 levels below them, by path, each once; links are not
// followed. A folder is a run if it has what a run has, and then it is not searched any further.
// The search ends after 20,000 folders, which is among the problems. May take seconds on a large
// tree.
FoundRuns FindRuns(const std::vector<std::string>& folders);

// The id of a run in this folder: its name and a hash of its path, "mnist.1a2b3c4d". Never that of
// a job, since those have no dot. Depends on the path as it is written: pass it the same way.
std::string RunIdOf(const std::string& folder);

// What is in the folder as a run; nothing if it is not one. Folders that the run may get later are
// named although they do not exist yet. A link that leads out of the folder is not part of the
// run; the folder itself may be reached by links.
std::optional<RunPlaces> RunIn(const std::string& folder);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_PLACES_H_
