#ifndef WARDEN_REPORT_PROFILER_PROFILER_REPORT_H_
#define WARDEN_REPORT_PROFILER_PROFILER_REPORT_H_

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/report/report.h"
#include "warden/rules/profiler/profiler_rule.h"

namespace warden::report {

// What is known of a job beside what the rules say.
struct JobFacts {
  std::string name;
  std::string folder;              // The run's.
  std::vector<std::string> hosts;  // In their order; empty: not known.
  std::string command;             // As one line; empty: not known.
  bool still_running = false;
  double written_at = 0;  // When the report is made, in seconds since 1970.
};

struct ProfilerInputs {
  JobFacts job;
  std::vector<rules::ProfilerResult> results;  // At most one of each rule, in any order.
};

// Where the time went and what to do about it. Pure: the same inputs give the same report. Details
// may be of any shape; what is missing, or not as docs/design/011-profiling.md has it, is left out.
Report BuildProfilerReport(const ProfilerInputs& inputs);

// The same as a notebook (nbformat 4) whose cells read the files beside it with
// tensorwarden.report and draw them anew.
std::string ToNotebook(const ProfilerInputs& inputs);

// Writes profiler-report.html, profiler-report.ipynb and profiler-reports/<Rule>.json below
// folder/profiler-output. Each file is replaced whole or not at all, the page last, so that what it
// refers to is there. kIo names the file.
Status WriteProfilerReport(const std::string& folder, const ProfilerInputs& inputs);

}  // namespace warden::report

#endif  // WARDEN_REPORT_PROFILER_PROFILER_REPORT_H_
