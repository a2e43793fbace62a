#include "warden/watch/report/live_profiler_report.h"

#include <fmt/format.h>

#include <ctime>
#include <utility>

#include "warden/report/profiler/profiler_report.h"

namespace warden::watch {

LiveReport LiveProfilerReport(const rules::Engine* engine, const std::string& folder,
                              ReportJob job) {
  return {"profiling", folder + "/profiler-output/profiler-report.html",
          [engine, folder, job = std::move(job)](bool still_running) {
            report::ProfilerInputs inputs;
            inputs.results = engine->ProfilerResults();
            if (inputs.results.empty()) return Status(Code::kUnavailable, "nothing to report");
            inputs.job.name = job.name;
            inputs.job.folder = job.run;
            inputs.job.command = job.command;
            inputs.job.still_running = still_running;
            inputs.job.written_at = static_cast<double>(std::time(nullptr));
            return report::WriteProfilerReport(folder, inputs);
          }};
}

std::string ProfilerReportFolder(const std::string& records) {
  return fmt::format("{}/ProfilerReport-{}", records, std::time(nullptr));
}

}  // namespace warden::watch
