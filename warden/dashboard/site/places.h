#ifndef WARDEN_DASHBOARD_SITE_PLACES_H_
#define WARDEN_DASHBOARD_SITE_PLACES_H_

#include <string>
#include <vector>

#include "warden/dashboard/core/open_run.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// Where the files of a job are.
RunPlaces PlacesOfJob(const service::ServiceOptions& options, const jobs::TrainingJob& job);

// Where a rule of a job keeps its records: has status.json and firings.jsonl. Empty: nowhere.
std::string RecordsOfRule(const service::ServiceOptions& options, const jobs::TrainingJob& job,
                          const jobs::RuleJob& rule);

struct FoundRuns {
  std::vector<RunPlaces> runs;
  std::vector<std::string> problems;  // Folders that cannot be read, and that there are too many.
};

// The runs in the folders and below them, links not followed: a folder is a run if it has what a
// run has, and then it is not looked into any further.
FoundRuns FindRuns(const std::vector<std::string>& folders);

// The id of a run in a folder of that name.
std::string RunIdOf(const std::string& folder);

// What is in the folder as a run; nothing if it is none.
std::optional<RunPlaces> RunIn(const std::string& folder);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_PLACES_H_
