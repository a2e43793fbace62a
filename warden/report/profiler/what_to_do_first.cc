// What to do about what the rules found, ordered by how much of the time it can save at most.

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/report/profiler/advice.h"
#include "warden/report/profiler/details.h"
#include "warden/report/profiler/profiler_sections.h"
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
    Add(percent("CPUBottleneck"), "Reduce CPU work",
        "GPUs wait while the CPUs are busy. Preprocess data before training, use more data loader "
        "workers, or move augmentation to the GPU.",
        "cpu-bottlenecks", found);
  }
  if (Fired(inputs, "IOBottleneck")) {
    Add(percent("IOBottleneck"), "Speed up storage access",
        "GPUs wait while the CPUs wait for storage. Prefetch batches, keep the data on a local "
        "disk, or pack many small files into a few large ones.",
        "io-bottlenecks", found);
  }
}

void AddLoading(const ProfilerInputs& inputs, Found* found) {
  const double percent = LoadingShare(inputs);
  const std::string share =
      fmt::format("Steps spend {} of their time waiting for the next batch.", Percent(percent));
  if (Fired(inputs, "Dataloader")) {
    const Json& details = DetailsOf(inputs, "Dataloader");
    const double workers = AmountAt(details, "dataloaders");
    const double cores = AmountAt(details, "cores");
    Add(percent, workers < cores ? "Use more data loader workers" : "Use fewer data loader workers",
        fmt::format("{} {} workers ran in parallel on {} cores; try num_workers={}.", share,
                    ThreeDigits(workers), ThreeDigits(cores), ThreeDigits(cores)),
        "loading", found);
  } else if (percent > kMostlyLoading) {
    Add(percent, "Speed up data loading",
        share +
            " Preprocess data before training, prefetch more batches, or use more data loader "
            "workers.",
        "loading", found);
  }
}

void AddBetweenSteps(const ProfilerInputs& inputs, Found* found) {
  const Json& framework = DetailsOf(inputs, "OverallFrameworkMetrics");
  const double others = PercentIn(ObjectAt(framework, "ratio"), "others");
  if (others > kMuchBetweenSteps) {
    Add(others, "Shorten the time between steps",
        fmt::format("No step ran for {} of the time between the first and the last step. Check for "
                    "saving, logging, or waiting for data.",
                    Percent(others)),
        "framework", found);
  }
}

// Seconds that the outliers of a node took beyond its median; the last ones stand for all.
double ExcessOf(const Json& statistics) {
  const double median = AmountAt(ObjectAt(statistics, "step_stats"), "p50");
  double listed = 0;
  double over = 0;
  for (const Json& one : ArrayAt(statistics, "outliers")) {
    const Values values = NumbersIn(one);
    if (values.size() < 3 || !values[2]) continue;
    listed += 1;
    over += std::max(0.0, *values[2] - median);
  }
  return listed > 0 ? over / listed * AmountAt(statistics, "number_of_outliers") : 0;
}

void AddOutliers(const ProfilerInputs& inputs, Found* found) {
  if (!Fired(inputs, "StepOutlier")) return;
  const auto nodes = NodesIn(ObjectAt(DetailsOf(inputs, "StepOutlier"), "step_details"));
  double excess = 0;
  double outliers = 0;
  double means = 0;
  for (const auto& [node, statistics] : nodes) {
    excess += ExcessOf(*statistics);
    outliers += AmountAt(*statistics, "number_of_outliers");
    means += AmountAt(ObjectAt(*statistics, "step_stats"), "mean");
  }
  const auto steps = static_cast<double>(FindResult(inputs, "StepOutlier")->datapoints);
  const double all = nodes.empty() ? 0 : steps * means / static_cast<double>(nodes.size());
  Add(all > 0 ? std::min(100.0, 100 * excess / all) : 0, "Find out why some steps are slow",
      fmt::format("{} steps took much longer than the others.", Fixed(outliers, 0)), "steps",
      found);
}

void AddInitialization(const ProfilerInputs& inputs, Found* found) {
  const JobTimes times = TimesOf(inputs);
  if (!Fired(inputs, "MaxInitializationTime")) return;
  double percent = 0;
  std::string text = "No step has started yet.";
  if (times.start && times.loop_start && times.end && *times.end > *times.start) {
    percent = 100 * (*times.loop_start - *times.start) / (*times.end - *times.start);
    text = fmt::format("The first step started {} after the start of the job.",
                       Duration(*times.loop_start - *times.start));
  }
  Add(percent, "Shorten initialization",
      text + " Stream data during training, and cache preprocessed data between starts.", "job",
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
