#ifndef WARDEN_DASHBOARD_SITE_SUMMARY_MEMO_H_
#define WARDEN_DASHBOARD_SITE_SUMMARY_MEMO_H_

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

#include "warden/base/json.h"
#include "warden/dashboard/core/open_run.h"

namespace warden::dashboard {

// What can be seen of a run at a glance: while it is the same, little can have happened to one that
// is over.
std::string StampOf(const RunPlaces& places);

// The summary of a run that is over, which is not made again whenever somebody looks at the list:
// most of thousands of runs have long ended. Of one that goes on it is always made anew. Safe for
// many threads.
class SummaryMemo {
 public:
  // make() or what it told before. What the stamp does not show, a rule's later word, is seen the
  // later the longer the run has been over: within a second at first, within a minute at last.
  Json Get(const std::string& stamp, const std::function<Json()>& make);

 private:
  using Clock = std::chrono::steady_clock;

  std::mutex mutex_;
  std::string stamp_;
  Json summary_;
  Clock::time_point until_{};
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_SUMMARY_MEMO_H_
