#include "warden/cli/rules/live_report.h"

#include <fmt/format.h>

#include <ctime>
#include <utility>

#include "warden/cli/text.h"
#include "warden/report/profiler/profiler_report.h"

namespace warden::cli {

LiveReport::LiveReport(const rules::Engine* engine, std::string folder, Job job)
    : engine_(engine), job_(std::move(job)), folder_(std::move(folder)) {}

std::string LiveReport::FolderBelow(const std::string& records) {
  return fmt::format("{}/ProfilerReport-{}", records, std::time(nullptr));
}

Status LiveReport::Write(bool still_running) const {
  report::ProfilerInputs inputs;
  inputs.results = engine_->ProfilerResults();
  if (inputs.results.empty()) return Status(Code::kUnavailable, "nothing to report");
  inputs.job.name = job_.name;
  inputs.job.folder = job_.run;
  inputs.job.command = job_.command;
  inputs.job.still_running = still_running;
  inputs.job.written_at = static_cast<double>(std::time(nullptr));
  return report::WriteProfilerReport(folder_, inputs);
}

void LiveReport::Moment() {
  if (!pace_.IsDue()) return;
  // Finish reports a failure; until then the next attempt may succeed.
  (void)Write(/*still_running=*/true);
  pace_.Written();
}

std::string LiveReport::Finish(Output* out) {
  const Status status = Write(/*still_running=*/false);
  if (status.ok()) return folder_ + "/profiler-output/profiler-report.html";
  if (status.code() != Code::kUnavailable) {
    out->Tell("cannot write the profiling report: " + Printable(status.message()));
  }
  return "";
}

}  // namespace warden::cli
