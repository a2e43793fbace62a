#ifndef WARDEN_REPORT_PROFILER_PROFILER_REPORT_H_
#define WARDEN_REPORT_PROFILER_PROFILER_REPORT_H_

// The profiling report: where the time of a training went. The command line makes it while a run is
// checked and at its end; the dashboard builds the same value for its page. rules::Engine has the
// results. The functions have no state and are safe for many threads.
//
//   ProfilerInputs inputs;
//   inputs.job.name = "mnist";
//   inputs.results = engine.ProfilerResults();
//   Status status = WriteProfilerReport(run + "/rule-output/ProfilerReport-1700000000", inputs);

#include <string>
#include <vector>

#include "warden/base/status.h"
#include "warden/report/report_document.h"
#include "warden/rules/profiler/profiler_rule.h"
#include "warden/view/series/rank_reader.h"

namespace warden::report {

// What is known of a job beside what the rules say. Shown as it is.
struct JobFacts {
  std::string name;
  std::string folder;              // The run's.
  std::vector<std::string> hosts;  // In their order; empty: not known.
  std::string command;             // As one line; empty: not known.
  bool still_running = false;
  double written_at = 0;  // When the report is made, in seconds since 1970.
};

// All that the report is made of. results hold their Details by pointer: keep them unchanged
// meanwhile.
struct ProfilerInputs {
  JobFacts job;
  std::vector<rules::ProfilerResult> results;  // At most one of each rule, in any order.
  std::vector<view::Rank> ranks = {};          // Workers that train together; empty: none do.
  std::vector<view::RankMap> rank_maps = {};   // The same over the steps.
};

// Where the time went and what to do about it. Pure: the same inputs give the same report. Details
// may be of any shape; what is missing, or not as docs/design/011-profiling.md has it, is left out.
Report BuildProfilerReport(const ProfilerInputs& inputs);

// The same as a notebook (nbformat 4) whose cells read the files next to it with
// tensorwarden.report and draw them again; without the ranks, which are not among these files.
std::string ToNotebook(const ProfilerInputs& inputs);

// Writes profiler-report.html, profiler-report.ipynb and profiler-reports/<Rule>.json below
// folder/profiler-output, which is created. Each file is replaced as a whole or not at all, the
// page last, so that what it refers to is there. kIo names the file; the files before it are
// written.
Status WriteProfilerReport(const std::string& folder, const ProfilerInputs& inputs);

}  // namespace warden::report

#endif  // WARDEN_REPORT_PROFILER_PROFILER_REPORT_H_
