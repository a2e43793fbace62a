// Checks runs that write_forever made, however it ended: they open, every step that shows is whole
// and right, and nothing is damaged. One line of JSON for each run, with what is wrong with it.
//   check_run RUN...
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/forever.h"
#include "warden/base/json.h"
#include "warden/trial/trial.h"
#include "warden/trial/verify.h"

namespace {

using warden::DType;
using warden::Json;
using warden::Step;
using warden::trial::Trial;
using warden::trial::TrialOptions;

// What is wrong, line by line.
using Faults = std::vector<std::string>;

// Which generation wrote the step, its values being all there.
int64_t CheckStep(const Trial& trial, Step step, Faults* faults) {
  const auto marked = trial.Value(warden::testing::kGenerationTensor, step);
  if (!marked.ok() || marked.value().data.size() != sizeof(int64_t)) {
    faults->push_back(fmt::format("step {}: no generation: {}", step, marked.status().message()));
    return -1;
  }
  int64_t generation;
  std::memcpy(&generation, marked.value().data.data(), sizeof(generation));
  for (size_t i = 0; i < warden::testing::kForeverTensors.size(); ++i) {
    const std::string_view name = warden::testing::kForeverTensors[i];
    const std::vector<int32_t> wanted = warden::testing::ForeverValues(generation, step, i);
    const auto value = trial.Value(name, step);
    if (!value.ok()) {
      faults->push_back(fmt::format("step {}: {}: {}", step, name, value.status().message()));
    } else if (value.value().dtype != DType::kInt32 ||
               value.value().shape != std::vector<int64_t>{std::ssize(wanted)} ||
               value.value().data.size() != wanted.size() * sizeof(int32_t) ||
               std::memcmp(value.value().data.data(), wanted.data(), value.value().data.size()) !=
                   0) {
      faults->push_back(fmt::format("step {}: {}: other values than generation {} saved", step,
                                    name, generation));
    }
  }
  return generation;
}

// As a watcher opens it while the job may still be going on. Not to be had before the first step.
TrialOptions WatcherOptions() {
  TrialOptions options;
  options.collections_timeout = std::chrono::milliseconds(0);
  options.missing_file_retries = 1;
  options.retry_interval = std::chrono::milliseconds(1);
  return options;
}

void CheckAsWatcher(const std::string& run, const std::vector<Step>& steps, Faults* faults) {
  const auto trial = Trial::Open(warden::storage::OpenStore(run).value(), WatcherOptions());
  if (!trial.ok()) {
    if (steps.empty() && trial.status().code() == warden::Code::kUnavailable) return;
    faults->push_back("a watcher cannot open it: " + trial.status().message());
  } else if (trial.value()->Steps() != steps) {
    faults->push_back("a watcher sees other steps");
  }
}

Json Check(const std::string& run) {
  Faults faults;
  std::vector<Step> steps;
  std::vector<int64_t> generations;
  const auto trial =
      Trial::Open(warden::storage::OpenStore(run).value(), warden::trial::LookOptions());
  if (!trial.ok()) {
    faults.push_back("cannot be opened: " + trial.status().message());
  } else {
    for (const auto& problem : trial.value()->problems()) {
      faults.push_back(problem.file + ": " + problem.message);
    }
    steps = trial.value()->Steps();
    if (trial.value()->Steps(warden::Mode::kGlobal, /*include_incomplete=*/true) != steps) {
      faults.push_back("some steps are incomplete");
    }
    for (const Step step : steps) {
      generations.push_back(CheckStep(*trial.value(), step, &faults));
    }
    CheckAsWatcher(run, steps, &faults);
  }
  Json damage = Json::array();
  for (const auto& problem :
       warden::trial::VerifyRun(*warden::storage::OpenStore(run).value()).problems) {
    damage.push_back({problem.file, problem.message});
  }
  return {{"run", run},
          {"steps", steps},
          {"generations", generations},
          {"ended", trial.ok() && trial.value()->loaded_all_steps()},
          {"faults", faults},
          {"damage", damage}};
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) fmt::print("{}\n", warden::DumpLikePython(Check(argv[i])));
  return 0;
}
