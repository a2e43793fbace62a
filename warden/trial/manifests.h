#ifndef WARDEN_TRIAL_MANIFESTS_H_
#define WARDEN_TRIAL_MANIFESTS_H_

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/config/collection.h"
#include "warden/config/manifest.h"
#include "warden/storage/store.h"
#include "warden/trial/problem.h"

namespace warden::trial {

// The collections files of a run, of which each worker writes one: opening a run begins with them.
// Used by Trial and the dashboard's series.

// What the collections files of a run say together: names and number of all, and the content of the
// first, by name, that can be read. A plain value. Workers of one training write the same
// collections, so one file is enough.
struct Manifests {
  config::Collections collections;
  config::Roles roles;
  std::vector<std::string> workers;  // By name; one for each file.
  int num_workers = 0;               // How many write; 0 if no file could be read.
  std::vector<Problem> problems;     // Files that could not be used.
};

// Waits until every worker's file is there (the first one says how many there are). When the time
// is over, `give_up` says so (asked five times a second) or the job has ended: what is there if it
// is not needed, else kUnavailable or kMissingCollectionFiles. Without a timeout it waits until one
// of the other two; with a timeout of 0 it does not wait. A file that cannot be used is a problem,
// not an error. Other errors are those of Store::List. Safe for many threads.
//
//   const auto manifests = LoadManifests(store, std::chrono::milliseconds(0), /*needed=*/false);
//
// Sleeps until a file appears, or 0.2 seconds where the store cannot watch. After 20 seconds it
// logs that it is still waiting: the folder may be the wrong one.
Result<Manifests> LoadManifests(const storage::Store& store,
                                std::optional<std::chrono::milliseconds> timeout, bool needed,
                                const std::function<bool()>& give_up = nullptr);

}  // namespace warden::trial

#endif  // WARDEN_TRIAL_MANIFESTS_H_
