#include "warden/watch/report/live_profiler_report.h"

#include <fmt/format.h>

#include <ctime>
#include <utility>

#include "warden/report/profiler/profiler_report.h"
#include "warden/storage/store.h"
#include "warden/trial/trial.h"
#include "warden/view/series/rank_reader.h"

namespace warden::watch {
namespace {

// The workers of the run, from what it saved. A run that the engine does not read is opened for
// this, when it is over: its whole index is read. Maps, which take reading, are made at the end.
std::vector<view::Rank> RanksOf(const rules::Engine& engine, const std::string& run,
                                bool still_running, std::vector<view::RankMap>* maps) {
  if (still_running) maps = nullptr;
  if (engine.trial() != nullptr) return view::ReadRanks(*engine.trial(), maps);
  if (still_running || run.empty()) return {};
  auto store = storage::OpenStore(run);
  if (!store.ok()) return {};
  const auto trial = trial::Trial::Open(std::move(store.value()), trial::LookOptions());
  return trial.ok() ? view::ReadRanks(*trial.value(), maps) : std::vector<view::Rank>();
}

}  // namespace

LiveReport LiveProfilerReport(const rules::Engine* engine, const std::string& folder,
                              ReportJob job) {
  return {"profiling", folder + "/profiler-output/profiler-report.html",
          [engine, folder, job = std::move(job)](bool still_running) {
            report::ProfilerInputs inputs;
            inputs.results = engine->ProfilerResults();
            if (inputs.results.empty()) return Status(Code::kUnavailable, "nothing to report");
            inputs.ranks = RanksOf(*engine, job.run, still_running, &inputs.rank_maps);
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
