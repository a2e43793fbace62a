#ifndef WARDEN_WATCH_REPORT_LIVE_PROFILER_REPORT_H_
#define WARDEN_WATCH_REPORT_LIVE_PROFILER_REPORT_H_

#include <string>

#include "warden/rules/engine/engine.h"
#include "warden/watch/report/live_report.h"

namespace warden::watch {

// The profiling report of a run, from the results of its engine, which outlives it. folder: of the
// report. Nothing is written until the engine has results of profiler rules. Its page is
// profiler-output/profiler-report.html in the folder.
LiveReport LiveProfilerReport(const rules::Engine* engine, const std::string& folder,
                              ReportJob job);

// A folder for it among others: "ProfilerReport-<time>" below that one. <time>: now, in seconds
// since 1970. Computes a name only.
std::string ProfilerReportFolder(const std::string& records);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_REPORT_LIVE_PROFILER_REPORT_H_
