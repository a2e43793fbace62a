#ifndef WARDEN_DASHBOARD_SITE_SUMMARY_MEMO_H_
#define WARDEN_DASHBOARD_SITE_SUMMARY_MEMO_H_

// Makes a list of thousands of runs cheap. What is remembered may be a little old; the page of one
// run never uses it.

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>

#include "warden/base/json.h"
#include "warden/dashboard/core/open_run.h"

namespace warden::dashboard {

// What can be seen of a run at a glance: its job's status and the times of its folders. While it is
// the same, little can have happened to a run that is over. A few calls of stat: nothing is opened.
// Two stamps are equal or not, and mean nothing else.
std::string StampOf(const RunPlaces& places);

// The summary of a run that is over, which is not made again whenever somebody looks at the list:
// most of thousands of runs have long ended. That of a run that is still running is made each time.
// A view of OpenRun. Safe for many threads. "Over" means that neither the training nor a rule of it
// is running, by the summary itself.
class SummaryMemo {
 public:
  // make() or what it returned before. make is called without a lock, perhaps by several threads at
  // once. What the stamp does not show, such as the later result of a rule, is seen the later the
  // longer the run has been over: within a second at first, within a minute at last.
  Json Get(const std::string& stamp, const std::function<Json()>& make);

 private:
  using Clock = std::chrono::steady_clock;

  std::mutex mutex_;
  // Under mutex_, as are the next two: what summary_ was made for, and until when it is good.
  std::string stamp_;
  Json summary_;
  Clock::time_point until_{};
};

// The same for the list of all runs, as text: of each a kilobyte, so that it can keep those of more
// runs than OpenRuns are kept. Safe for many threads.
class SummaryTexts {
 public:
  // As SummaryMemo::Get, of the run with this id; within ten minutes at last.
  std::string Get(const std::string& id, const std::string& stamp,
                  const std::function<Json()>& make);

 private:
  using Clock = std::chrono::steady_clock;
  struct Kept {
    std::string stamp, text;
    Clock::time_point until;
  };

  std::mutex mutex_;
  std::unordered_map<std::string, Kept> kept_;
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_SUMMARY_MEMO_H_
