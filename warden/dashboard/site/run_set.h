#ifndef WARDEN_DASHBOARD_SITE_RUN_SET_H_
#define WARDEN_DASHBOARD_SITE_RUN_SET_H_

// Which runs the dashboard shows, and which of them are open. Everything that asks for a run by its
// ID goes through it.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "warden/dashboard/core/open_run.h"
#include "warden/dashboard/site/folder_marks.h"
#include "warden/dashboard/site/places.h"
#include "warden/dashboard/site/remote_runs.h"
#include "warden/jobs/db/job_store.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// All runs that can be looked at: the jobs of the store and those found in folders. Keeps what was
// read of the runs that were opened last, as much as fits: some 400 MB each. Safe for many threads.
// What is dropped is destroyed outside of all locks, since its threads must end first.
//
//   RunSet runs(&options, store);
//   const auto run = runs.Open(id);
//   if (!run.ok()) return ErrorAnswer(run.status());
class RunSet {
 public:
  // Both outlive it and are not owned. store: null if there are no jobs. Folders are those of
  // options->runs; runs in S3 are those of remote, which may be null.
  RunSet(const service::ServiceOptions* options, jobs::JobStore* store,
         RemoteRuns* remote = nullptr)
      : options_(options), store_(store), remote_(remote) {}

  // problems: for people, what could not be listed and why.
  struct Listed {
    std::vector<std::shared_ptr<OpenRun>> runs;
    std::vector<std::string> problems;
  };
  // Jobs newest first (at most 5000), then folders by path. What was read of a run before is still
  // there, for some hundred runs. Folders are searched again at most every 2 seconds, and callers
  // wait for that.
  Listed List();
  // The same runs, one after the other: what is not kept is gone after its call, so that a list of
  // thousands of jobs takes little memory. Returns the problems.
  std::vector<std::string> ForEach(
      const std::function<void(const std::shared_ptr<OpenRun>&)>& visit);
  // Of the same runs those that began last, and no more of them than said: latest first, those that
  // began at the same time in the order of the list. Jobs count as of their creation. began: when
  // the runs of these folders did; larger is later. If there are others, folders are as they were
  // found last, however long ago: whoever wants them as they are now asks for the list.
  struct Newest {
    Listed listed;
    bool more = false;  // There are others.
  };
  // Prepare searches for the first of them.
  void Prepare();
  Newest ListNewest(
      size_t most,
      const std::function<std::vector<double>(const std::vector<RunPlaces>& folders)>& began);
  // The run as it is now: if its folder was removed and written again under its name, or the job
  // was deleted and created again, nothing that was read before is in it. kNotFound; other errors
  // are the store's. Whoever holds the pointer keeps the run, also after it was dropped here.
  Result<std::shared_ptr<OpenRun>> Open(const std::string& id);
  // Folders from which runs were deleted. May search, as List does.
  std::vector<std::string> WithTrash() { return Folders()->with_trash; }
  // The next caller searches the folders again: runs were deleted or restored.
  void LookAgain();
  // Destroys what was read of runs that nobody has opened for 10 minutes. Called by LiveHub now and
  // then.
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

  // The run's entry, made if there is none and there is room; Opening also drops what was read of
  // an earlier run.
  std::shared_ptr<OpenRun> Listing(RunPlaces places);
  std::shared_ptr<OpenRun> Opening(RunPlaces places);
  static void Put(RunPlaces places, Entry* entry, Dropped* dropped);
  // Lets go of the opened runs that were used longest ago, beyond what is kept.
  void DropOldest(Dropped* dropped);
  std::shared_ptr<const FoundRuns> Folders();
  FoundRuns Search();
  // Without searching; null if there was no search yet.
  std::shared_ptr<const FoundRuns> KnownFolders();

  const service::ServiceOptions* const options_;
  jobs::JobStore* const store_;
  RemoteRuns* const remote_;
  std::mutex search_mutex_;  // Held while folders are looked through; before mutex_.
  std::mutex mutex_;         // Guards what follows.
  std::map<std::string, Entry> entries_;
  std::shared_ptr<const FoundRuns> folders_;
  Clock::time_point looked_;
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_SET_H_
