// report_sample KIND FOLDER: writes the profiling report of a made-up job of the kind full, empty,
// hostile or running, for tests of the page and of the notebook.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "warden/report/profiler/profiler_report.h"
#include "warden/report/report_for_test.h"

namespace {

// More workers than a map shows without a field to choose one; one is slow, one has NaN.
void AddRanks(warden::report::ProfilerInputs* inputs) {
  using warden::view::RankMap;
  RankMap times{.title = "Step time", .unit = "s", .steps = {}, .rows = {}};
  for (warden::Step step = 0; step < 50; ++step) times.steps.push_back(10 * step);
  RankMap losses = times;
  losses.title = "Loss: loss_output_0";
  losses.unit = "";
  for (int rank = 0; rank < 20; ++rank) {
    const std::string worker = fmt::format("worker_{}", rank);
    warden::view::Rank& listed = inputs->ranks.emplace_back();
    listed.worker = worker;
    listed.steps = 500;
    listed.step = 0.1;
    RankMap::Row& time = times.rows.emplace_back(worker);
    RankMap::Row& loss = losses.rows.emplace_back(worker);
    for (int column = 0; column < 50; ++column) {
      time.values.emplace_back(rank == 7 ? 0.2 : 0.1 + 0.001 * rank);
      loss.values.emplace_back(rank == 3 && column > 40 ? NAN : 2.0 / (1 + column));
    }
  }
  inputs->rank_maps = {times, losses};
}

}  // namespace

int main(int argc, char** argv) {
  using namespace warden::report;
  const std::string kind = argc == 3 ? argv[1] : "";
  ProfilerInputs inputs;
  if (kind == "full" || kind == "running") {
    inputs = FullInputs();
    inputs.job.still_running = kind == "running";
    AddRanks(&inputs);
  } else if (kind == "empty") {
    inputs = EmptyInputs();
  } else if (kind == "hostile") {
    inputs = HostileInputs();
  } else {
    std::fprintf(stderr, "usage: report_sample full|empty|hostile|running FOLDER\n");
    return 2;
  }
  const warden::Status written = WriteProfilerReport(argv[2], inputs);
  if (!written.ok()) std::fprintf(stderr, "%s\n", written.message().c_str());
  return written.ok() ? 0 : 1;
}
