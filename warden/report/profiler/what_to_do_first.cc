// What to do about what the rules found, ordered by how much of the time it can save at most.

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/report/profiler/advice.h"
#include "warden/report/profiler/details.h"
#include "warden/report/profiler/sections.h"
#include "warden/report/sorted.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

double PercentIn(const Json& object, std::string_view name) {
  double sum = 0;
  for (const Named& one : LargestFirst(object)) sum += one.value;
  return sum > 0 ? 100 * AmountAt(object, name) / sum : 0;
}

void AddBottlenecks(const ProfilerInputs& inputs, Found* found) {
  const auto percent = [&](std::string_view rule) {
    const Json& details = DetailsOf(inputs, rule);
    const double points = AmountAt(details, "points");
    return points > 0 ? 100 * AmountAt(details, "bottleneck_points") / points : 0;
  };
  if (Fired(inputs, "CPUBottleneck")) {
    Add(percent("CPUBottleneck"), "Take work off the CPUs that feed the GPUs",
        "GPUs wait while the CPUs are busy. Use more data-loader workers, prepare data before the "
        "training, or move augmentation to the GPU.",
        "cpu-bottlenecks", found);
  }
  if (Fired(inputs, "IOBottleneck")) {
    Add(percent("IOBottleneck"), "Get data from storage faster",
        "GPUs wait while the CPUs wait for storage. Fetch ahead, keep the data on a local disk, or "
        "pack many small files into a few large ones.",
        "io-bottlenecks", found);
  }
}

void AddLoading(const ProfilerInputs& inputs, Found* found) {
  const double percent = LoadingShare(inputs);
  const std::string share =
      fmt::format("Steps wait for the next batch {} of their time.", Percent(percent));
  if (Fired(inputs, "Dataloader")) {
    const Json& details = DetailsOf(inputs, "Dataloader");
    const double workers = AmountAt(details, "dataloaders");
    const double cores = AmountAt(details, "cores");
    Add(percent, workers < cores ? "Use more data-loader workers" : "Use fewer data-loader workers",
        fmt::format("{} {} ran in parallel on {} cores; try num_workers={}.", share,
                    Figure(workers), Figure(cores), Figure(cores)),
        "loading", found);
  } else if (percent > kMostlyLoading) {
    Add(percent, "Load data faster",
        share +
            " Prepare data before the training, fetch more batches ahead, or load in more "
            "processes.",
        "loading", found);
  }
}

void AddBetweenSteps(const ProfilerInputs& inputs, Found* found) {
  const Json& framework = DetailsOf(inputs, "OverallFrameworkMetrics");
  const double others = PercentIn(ObjectAt(framework, "ratio"), "others");
  if (others > kMuchBetweenSteps) {
    Add(others, "Shorten what happens between steps",
        fmt::format("No step ran for {} of the time between the first and the last one: saving, "
                    "logging, or waiting for data.",
                    Percent(others)),
        "framework", found);
  }
}

// Seconds that the outliers of a node took beyond its median; the last ones stand for all.
double ExcessOf(const Json& figures) {
  const double median = AmountAt(ObjectAt(figures, "step_stats"), "p50");
  double listed = 0;
  double over = 0;
  for (const Json& one : ArrayAt(figures, "outliers")) {
    const Values values = NumbersIn(one);
    if (values.size() < 3 || !values[2]) continue;
    listed += 1;
    over += std::max(0.0, *values[2] - median);
  }
  return listed > 0 ? over / listed * AmountAt(figures, "number_of_outliers") : 0;
}

void AddOutliers(const ProfilerInputs& inputs, Found* found) {
  if (!Fired(inputs, "StepOutlier")) return;
  const auto nodes = NodesIn(ObjectAt(DetailsOf(inputs, "StepOutlier"), "step_details"));
  double excess = 0;
  double outliers = 0;
  double means = 0;
  for (const auto& [node, figures] : nodes) {
    excess += ExcessOf(*figures);
    outliers += AmountAt(*figures, "number_of_outliers");
    means += AmountAt(ObjectAt(*figures, "step_stats"), "mean");
  }
  const auto steps = static_cast<double>(FindResult(inputs, "StepOutlier")->datapoints);
  const double all = nodes.empty() ? 0 : steps * means / static_cast<double>(nodes.size());
  Add(all > 0 ? std::min(100.0, 100 * excess / all) : 0, "Find out why some steps take so long",
      fmt::format("{} steps took much longer than the others.", Fixed(outliers, 0)), "steps",
      found);
}

void AddInitialization(const ProfilerInputs& inputs, Found* found) {
  const JobTimes times = TimesOf(inputs);
  if (!Fired(inputs, "MaxInitializationTime")) return;
  double percent = 0;
  std::string text = "No step has begun yet.";
  if (times.start && times.loop_start && times.end && *times.end > *times.start) {
    percent = 100 * (*times.loop_start - *times.start) / (*times.end - *times.start);
    text = fmt::format("The first step began {} after the start.",
                       Duration(*times.loop_start - *times.start));
  }
  Add(percent, "Start the training sooner",
      text + " Copy data while the training runs, or keep what is prepared at every start.", "job",
      found);
}

}  // namespace

double LoadingShare(const ProfilerInputs& inputs) {
  const Json& framework = DetailsOf(inputs, "OverallFrameworkMetrics");
  return PercentIn(ObjectAt(framework, "forward_backward"), "DataLoader");
}

void Add(double percent, std::string title, std::string text, std::string section, Found* found) {
  std::string gain =
      percent > 0 ? fmt::format("up to {} of the time", Percent(std::min(percent, 100.0))) : "";
  found->push_back(
      {percent, {std::move(title), std::move(text), std::move(gain), std::move(section)}});
}

std::vector<Advice> WhatToDoFirst(const ProfilerInputs& inputs) {
  Found found;
  AddLoading(inputs, &found);
  AddGpuAdvice(inputs, &found);
  AddBottlenecks(inputs, &found);
  AddBetweenSteps(inputs, &found);
  AddOutliers(inputs, &found);
  AddInitialization(inputs, &found);
  SortStably(&found, [](const Ranked& a, const Ranked& b) { return a.percent > b.percent; });
  std::vector<Advice> advice;
  for (Ranked& one : found) advice.push_back(std::move(one.advice));
  return advice;
}

}  // namespace warden::report
