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

#include "warden/base/json.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/dashboard/site/run_set.h"

namespace warden::dashboard {

// Reads runs in the background, one at a time, and keeps of each the text of its answer, a kilobyte
// or so. A run is read again only if its files have changed, and one that is being written at most
// every 5 seconds, or 20 times as rarely as reading it takes. Safe for many threads.
class RunTable {
 public:
  // runs outlives this.
  explicit RunTable(RunSet* runs);

  // RunTable of the API as text: what is known now. What is missing or has changed is read from now
  // on; ask again while it is pending. Costs a few calls of stat for each run.
  std::string Answer();

  // RunColumns of one run, read now if it is not known.
  Json ColumnsOf(const RunPlaces& places);

 private:
  using Clock = std::chrono::steady_clock;
  struct Row {
    std::string stamp;          // Of what text was made of.
    std::string text;           // RunColumns; empty: not read yet.
    Clock::time_point again{};  // Not read again before this.
    uint64_t listed = 0;        // The last answer that had the run.
  };
  struct Task {
    std::string id, stamp, tensors;
    Json given;  // Hyper-parameters of the job; null for folders.
  };

  void Work(const std::stop_token& stop);

  RunSet* const runs_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::map<std::string, Row> rows_;  // By the run's id.
  std::deque<Task> tasks_;
  uint64_t answers_ = 0;
  std::jthread worker_;  // Last: it uses the others.
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_TABLE_H_
