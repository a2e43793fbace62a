#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/report/profiler/advice.h"
#include "warden/report/profiler/details.h"
#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

constexpr double kDayInHours = 24;
constexpr double kLostRun = 1000;  // Comes before everything that only costs time.

// The GPU that has most room: how much of it was idle at the median.
struct Idle {
  std::string gpu;
  double percent = 0;
};

Idle MostIdle(const Json& details, bool fluctuating) {
  Idle idle;
  for (const auto& [node, gpus] : NodesIn(details)) {
    for (const auto& [gpu, statistics] : NodesIn(*gpus)) {
      if (!(AmountAt(*statistics, fluctuating ? "fluctuating" : "low") > 0)) continue;
      const double percent = 100 - std::clamp(AmountAt(*statistics, "p50"), 0.0, 100.0);
      if (idle.gpu.empty() || percent > idle.percent) idle = {gpu + " on " + node, percent};
    }
  }
  return idle;
}

void AddGpuUse(const ProfilerInputs& inputs, Found* found) {
  const Json& details = DetailsOf(inputs, "LowGPUUtilization");
  if (!Fired(inputs, "LowGPUUtilization")) return;
  const Idle low = MostIdle(details, /*fluctuating=*/false);
  const double loading = LoadingShare(inputs);
  if (!low.gpu.empty() && loading > kMostlyLoading) {
    Add(std::min(low.percent, loading), "The GPUs wait for data",
        fmt::format("{} is {} idle at the median. Speed up data loading first; a larger batch "
                    "alone does not help.",
                    low.gpu, Percent(low.percent)),
        "loading", found);
    return;
  }
  const bool small_batch = Fired(inputs, "BatchSize");
  if (!low.gpu.empty()) {
    Add(low.percent, small_batch ? "Increase the batch size" : "Give the GPUs more work",
        fmt::format("{} is {} idle at the median. {}", low.gpu, Percent(low.percent),
                    small_batch ? "CPUs and GPU memory are underused as well: use a larger batch "
                                  "or a smaller machine."
                                : "Find out below what it waits for. Avoid copying or printing GPU "
                                  "values at every step."),
        small_batch ? "batch" : "gpu", found);
    return;
  }
  const Idle bursts = MostIdle(details, /*fluctuating=*/true);
  Add(bursts.percent, "Keep the GPUs busy",
      bursts.gpu.empty() ? "GPUs are repeatedly idle."
                         : fmt::format("{} works in bursts and is idle in between. Prefetch "
                                       "batches, and avoid calls that wait for the GPU.",
                                       bursts.gpu),
      "gpu", found);
}

void AddBatch(const ProfilerInputs& inputs, Found* found) {
  if (!Fired(inputs, "BatchSize") || Fired(inputs, "LowGPUUtilization")) return;
  Add(0, "Increase the batch size", "CPUs, GPUs and GPU memory are all underused at the same time.",
      "batch", found);
}

// How busy a GPU is on average, of the shares of its utilisation in equal bins.
double MeanUse(const Json& shares) {
  const Values values = NumbersIn(shares);
  double sum = 0;
  double weighted = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double share = std::max(0.0, values[i].value_or(0));
    sum += share;
    weighted += share * 100 * (static_cast<double>(i) + 0.5) / static_cast<double>(values.size());
  }
  return sum > 0 ? weighted / sum : 0;
}

void AddBalance(const ProfilerInputs& inputs, Found* found) {
  if (!Fired(inputs, "LoadBalancing")) return;
  double percent = 0;
  std::string text = "The GPUs of a node are not equally busy.";
  for (const auto& [node, statistics] : NodesIn(DetailsOf(inputs, "LoadBalancing"))) {
    std::vector<Named> uses;
    for (const auto& [gpu, shares] : ObjectAt(*statistics, "workloads").items()) {
      uses.push_back({gpu, MeanUse(shares)});
    }
    if (uses.size() < 2) continue;
    const auto by_value = [](const Named& a, const Named& b) { return a.value < b.value; };
    const auto [least, most] = std::minmax_element(uses.begin(), uses.end(), by_value);
    if (most->value - least->value <= percent) continue;
    percent = most->value - least->value;
    text = fmt::format("On {}, {} is {} busy and {} only {}.", node, most->name,
                       Percent(most->value), least->name, Percent(least->value));
  }
  Add(percent, "Distribute the work evenly over the GPUs",
      text + " Use one process per GPU (DistributedDataParallel).", "balance", found);
}

void AddMemory(const ProfilerInputs& inputs, Found* found) {
  if (!Fired(inputs, "GPUMemoryIncrease")) return;
  for (const auto& [node, gpus] : NodesIn(DetailsOf(inputs, "GPUMemoryIncrease"))) {
    for (const auto& [gpu, statistics] : NodesIn(*gpus)) {
      const double slope = AmountAt(*statistics, "slope_percent_per_hour");
      if (!FlagAt(*statistics, "leak").value_or(false) || !(slope > 0)) continue;
      const double hours = std::max(0.0, 100 - AmountAt(*statistics, "gpu_max")) / slope;
      const std::string when =
          fmt::format("the memory usage of {} on {} grows by {} per hour and reaches 100 % in {}",
                      gpu, node, Percent(slope), Duration(hours * 3600));
      found->push_back({hours < kDayInHours ? kLostRun : 0,
                        {"Find the GPU memory leak",
                         "At this rate, " + when +
                             ". Look for tensors kept with their graph, such as losses accumulated "
                             "without .item().",
                         hours < kDayInHours ? "avoids running out of memory" : "", "gpu-memory"}});
      return;
    }
  }
  Add(0, "Check the growth of GPU memory usage", "GPU memory usage jumped during the run.",
      "gpu-memory", found);
}

}  // namespace

void AddGpuAdvice(const ProfilerInputs& inputs, Found* found) {
  AddMemory(inputs, found);
  AddGpuUse(inputs, found);
  AddBatch(inputs, found);
  AddBalance(inputs, found);
}

}  // namespace warden::report
