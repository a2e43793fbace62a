#ifndef WARDEN_DASHBOARD_SITE_RUN_SET_H_
#define WARDEN_DASHBOARD_SITE_RUN_SET_H_

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "warden/dashboard/core/open_run.h"
#include "warden/dashboard/site/folder_marks.h"
#include "warden/dashboard/site/places.h"
#include "warden/jobs/db/job_store.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// All runs that can be looked at: the jobs of the store and those found in folders. Of what was
// read of them so much is kept as fits: those opened last. Safe for many threads.
class RunSet {
 public:
  // Both outlive it. store: null if there are no jobs.
  RunSet(const service::ServiceOptions* options, jobs::JobStore* store)
      : options_(options), store_(store) {}

  struct Listed {
    std::vector<std::shared_ptr<OpenRun>> runs;
    std::vector<std::string> problems;
  };
  // Jobs newest first, then folders. What was read of a run before is still there.
  Listed List();
  // As it is now: of a run whose folder was removed and written again under its name, nothing that
  // was read before is there. kNotFound.
  Result<std::shared_ptr<OpenRun>> Open(const std::string& id);
  // Lets go of what was read of runs that nobody has opened in a while.
  void Forget();

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    std::shared_ptr<OpenRun> run;
    Clock::time_point used;
    bool opened = false;  // Not only listed: there may be much that was read of it.
    FolderMarks marks;    // Of when it was opened, and of folders that have come since.
  };
  // To be destroyed when no lock is held: what goes with them waits for its threads.
  using Dropped = std::vector<std::shared_ptr<OpenRun>>;

  std::shared_ptr<OpenRun> Listing(RunPlaces places);
  std::shared_ptr<OpenRun> Opening(RunPlaces places);
  static void Put(RunPlaces places, Entry* entry, Dropped* dropped);
  void DropOldest(Dropped* dropped);
  std::shared_ptr<const FoundRuns> Folders();

  const service::ServiceOptions* const options_;
  jobs::JobStore* const store_;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::mutex folders_mutex_;  // Held while folders are looked through; before mutex_.
  std::shared_ptr<const FoundRuns> folders_;
  Clock::time_point looked_;
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_SET_H_
