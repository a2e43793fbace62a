#include "warden/cli/rules/live_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "warden/cli/text.h"
#include "warden/report/profiler_report.h"

namespace warden::cli {
namespace {

constexpr std::chrono::seconds kFirst{5};
constexpr std::chrono::seconds kInterval{10};
// Of the time that passes, at most this part goes into writing reports.
constexpr int kMostOfTime = 100;

}  // namespace

LiveReport::LiveReport(const rules::Engine* engine, const std::string& records, Job job)
    : engine_(engine),
      job_(std::move(job)),
      folder_(fmt::format("{}/ProfilerReport-{}", records, std::time(nullptr))),
      next_(Clock::now() + kFirst) {}

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
  const auto begun = Clock::now();
  if (begun < next_) return;
  // Whether it succeeds is seen at the end, when it matters.
  (void)Write(/*still_running=*/true);
  const auto end = Clock::now();
  next_ = end + std::max<Clock::duration>(kInterval, (end - begun) * kMostOfTime);
}

std::string LiveReport::Finish(Output* out) {
  const Status status = Write(/*still_running=*/false);
  if (status.ok()) return folder_ + "/profiler-output/profiler-report.html";
  if (status.code() != Code::kUnavailable) {
    out->Tell("the profiling report could not be written: " + Printable(status.message()));
  }
  return "";
}

}  // namespace warden::cli
