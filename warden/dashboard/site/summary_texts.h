#ifndef WARDEN_DASHBOARD_SITE_SUMMARY_TEXTS_H_
#define WARDEN_DASHBOARD_SITE_SUMMARY_TEXTS_H_

// Makes a list of thousands of runs cheap. What is remembered may be a little old; the page of one
// run never uses it.

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/dashboard/core/open_run.h"
#include "warden/dashboard/site/table_file.h"

namespace warden::dashboard {

// What can be seen of a run at a glance: its job's status and the times of its folders. While it is
// the same, little can have happened to a run that is over. A few calls of stat: nothing is opened.
// Two stamps are equal or not, and mean nothing else.
std::string StampOf(const RunPlaces& places);

// The summaries of runs as text, a kilobyte each. Making one reads the records of all rules of the
// run, which takes milliseconds, so that of a run that is over is not made again whenever somebody
// looks at the list: most of thousands of runs have long ended. They are also kept in a file, for
// the next start of the service. "Over" means that neither the training nor a rule of it is
// running, by the summary itself. Safe for many threads.
class SummaryTexts {
 public:
  // file: where they are kept; empty: nowhere. version: of the program, whose texts alone are used.
  SummaryTexts(std::string file, std::string version);
  // Saves.
  ~SummaryTexts();
  SummaryTexts(const SummaryTexts&) = delete;
  SummaryTexts& operator=(const SummaryTexts&) = delete;

  struct Known {
    std::string text;      // Empty: nothing is known of the run.
    bool current = false;  // Made for the same stamp.
    // Current, and not due to be made again. What a stamp does not show, such as the later result
    // of a rule, is seen the later the longer the run has been over: within a second at first,
    // within ten minutes at last. That of a run that is still running is never good.
    bool good = false;
  };
  Known Find(const std::string& id, const std::string& stamp);
  // When each of the runs began, in seconds since 1970, as the page sorts the list. After all times
  // if nothing is known of a run: it is new, or was running when the service was started. Before
  // all times if it does not say.
  std::vector<double> Began(const std::vector<RunPlaces>& runs);
  // The text of what make() returns, which is remembered. make is called without a lock, perhaps by
  // several threads at once.
  std::string Make(const std::string& id, const std::string& stamp,
                   const std::function<Json()>& make);
  // Writes the file if there is something new. Called by LiveHub once a minute.
  void Save();

 private:
  // Adds some of the runs that are over, those that follow this id. Returns the last one; nothing
  // if there are no others.
  std::optional<std::string> AddOver(const std::string& after, KnownRunsText* text);

  const std::string file_, version_;
  std::mutex mutex_;
  KnownRuns kept_;        // Under mutex_, as is the next.
  bool changed_ = false;  // Since the file was read or written.
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_SITE_SUMMARY_TEXTS_H_
