// report_sample KIND FOLDER: writes the profiling report of a made-up job of the kind full, empty,
// hostile or running, for tests of the page and of the notebook.

#include <cstdio>
#include <string>

#include "warden/report/profiler/profiler_report.h"
#include "warden/report/report_for_test.h"

int main(int argc, char** argv) {
  using namespace warden::report;
  const std::string kind = argc == 3 ? argv[1] : "";
  ProfilerInputs inputs;
  if (kind == "full" || kind == "running") {
    inputs = FullInputs();
    inputs.job.still_running = kind == "running";
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
