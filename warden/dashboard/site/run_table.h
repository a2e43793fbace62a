#ifndef WARDEN_DASHBOARD_SITE_RUN_TABLE_H_
#define WARDEN_DASHBOARD_SITE_RUN_TABLE_H_

// The numbers of all runs, for the columns of the list: hyper-parameters, and last, smallest and
// largest value of each scalar.

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "warden/base/json.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/dashboard/site/run_set.h"
#include "warden/dashboard/site/table_file.h"

namespace warden::dashboard {

// Reads runs in the background, one at a time, and keeps of each the text of its answer, a kilobyte
// or so. A run is read again only if its files have changed, and one that is being written at most
// every 5 seconds, or 20 times as rarely as reading it takes. What is known is kept in a file over
// restarts, written at most every 30 seconds and at the end. Safe for many threads.
class RunTable {
 public:
  // runs outlives this. file: where it is kept; empty: nowhere. version: of the program.
  RunTable(RunSet* runs, std::string file, std::string version);

  // RunTable of the API as text: what is known now. What is missing or has changed is read from now
  // on; ask again while it is pending. Costs a few calls of stat for each run. best: "min:loss" or
  // "max:accuracy"; each run then also has what its scalars were when that one was lowest or
  // highest.
  std::string Answer(const std::vector<std::string>& best);

  // RunColumns of one run, read now if it is not known.
  Json ColumnsOf(const RunPlaces& places);

 private:
  using Clock = std::chrono::steady_clock;
  struct Row {
    KnownRun known = {};        // Without a text: not read yet.
    bool kept = true;           // In the file; not if reading failed, which a restart may mend.
    Clock::time_point again{};  // Not read again before this.
    uint64_t listed = 0;        // The last answer that had the run.
  };
  struct Task {
    std::string id, stamp, tensors;
    Json given;  // Hyper-parameters of the job; null for folders.
  };

  void Work(const std::stop_token& stop);
  // Both let go of the lock while they read or write.
  void ReadNext(std::unique_lock<std::mutex>* lock, const std::stop_token& stop);
  void Save(std::unique_lock<std::mutex>* lock);

  RunSet* const runs_;
  const std::string file_, version_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::map<std::string, Row> rows_;  // By the run's id.
  std::deque<Task> tasks_;
  uint64_t answers_ = 0;
  bool changed_ = false;                    // Since the file was written,
  Clock::time_point saved_ = Clock::now();  // then, or at the start.
  std::jthread worker_;                     // Last: it uses the others.
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_TABLE_H_
