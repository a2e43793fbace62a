#ifndef WARDEN_WATCH_REPORT_LIVE_REPORT_H_
#define WARDEN_WATCH_REPORT_LIVE_REPORT_H_

#include <functional>
#include <string>

#include "warden/base/status.h"
#include "warden/watch/report/writing_pace.h"

namespace warden::watch {

// Whose run a report is about.
struct ReportJob {
  std::string name;
  std::string run;
  std::string command;  // Empty: not known.
};

// A report of a run that is being evaluated, kept up to date. For one thread. Written on the thread
// that evaluates, which waits for it: see WritingPace for how often.
class LiveReport {
 public:
  // Writes the report as things stand. kUnavailable: nothing to report.
  using Write = std::function<Status(bool still_running)>;

  // kind: "profiling". page: the path of the page that `write` makes. What `write` refers to
  // outlives this.
  LiveReport(std::string kind, std::string page, Write write);

  // Rewrites it if that is due: the more it costs, the less often. An error is ignored: the next
  // attempt may succeed, and Finish reports one that lasts.
  void Moment();
  // Writes the final version. The page's path; empty if there was nothing to report. An error of
  // writing, with "cannot write the profiling report" in front.
  Result<std::string> Finish();

 private:
  const std::string kind_;
  const std::string page_;
  const Write write_;
  WritingPace pace_;
};

}  // namespace warden::watch

#endif  // WARDEN_WATCH_REPORT_LIVE_REPORT_H_
