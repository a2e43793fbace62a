#ifndef WARDEN_CLI_RULES_LIVE_REPORT_H_
#define WARDEN_CLI_RULES_LIVE_REPORT_H_

#include <string>

#include "warden/base/status.h"
#include "warden/cli/output.h"
#include "warden/cli/rules/writing_pace.h"
#include "warden/rules/engine/engine.h"

namespace warden::cli {

// The profiling report of a run that is being evaluated, kept up to date. For one thread.
class LiveReport {
 public:
  struct Job {
    std::string name;
    std::string run;
    std::string command;  // Empty: not known.
  };

  // folder: of the report. The engine outlives this.
  LiveReport(const rules::Engine* engine, std::string folder, Job job);

  // A folder for it among others: "ProfilerReport-<time>" below that one.
  static std::string FolderBelow(const std::string& records);

  // Rewrites it if that is due: the more it costs, the less often.
  void Moment();
  // Writes the final version. The page's path; empty if there was nothing to report, or if writing
  // failed, which is told.
  std::string Finish(Output* out);

 private:
  // kUnavailable: nothing to report.
  Status Write(bool still_running) const;

  const rules::Engine* engine_;
  const Job job_;
  const std::string folder_;
  WritingPace pace_;
};

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_LIVE_REPORT_H_
