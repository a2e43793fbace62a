#ifndef WARDEN_DASHBOARD_SITE_RUN_LIST_H_
#define WARDEN_DASHBOARD_SITE_RUN_LIST_H_

// The list of all runs, which comes soon however many they are.

#include <chrono>
#include <string>
#include <utility>

#include "warden/dashboard/core/open_run.h"
#include "warden/dashboard/site/summary_texts.h"
#include "warden/service/options.h"

namespace warden::dashboard {

// One answer, made run by run: thousands of them as one tree of JSON would take 100 MB. It reads
// runs for a quarter of a second at most, or twenty of them. Of the others it has what was known
// before, or that they are pending; whoever asks again gets more of them. Not safe for threads.
class RunList {
 public:
  static constexpr std::chrono::milliseconds kPatience{250};
  // Both outlive it and are not owned. patience: for reading, beyond the first twenty; none: those
  // whose folders have not changed are not read at all, though it is time to.
  RunList(const service::ServiceOptions* options, SummaryTexts* summaries,
          std::chrono::milliseconds patience = kPatience)
      : options_(options), summaries_(summaries), patience_(patience) {}

  void Add(OpenRun* run);
  // RunSummary of all runs that were added, with commas between them. Afterwards there are none.
  std::string TakeText() { return std::exchange(text_, {}); }
  // How many of them are not as they are now: ask again.
  size_t pending() const { return pending_; }

 private:
  std::string TextOf(OpenRun* run);

  const service::ServiceOptions* const options_;
  SummaryTexts* const summaries_;
  const std::chrono::milliseconds patience_;
  std::string text_;
  size_t pending_ = 0, made_ = 0;
  std::chrono::steady_clock::duration spent_{};
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_RUN_LIST_H_
