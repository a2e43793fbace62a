// Whether the GPUs of a node share the work, and whether batches are large enough for them.

#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/report/profiler/details.h"
#include "warden/report/profiler/profiler_sections.h"
#include "warden/report/sorted.h"
#include "warden/report/words.h"

namespace warden::report {
namespace {

constexpr size_t kMostPairs = 500;
constexpr size_t kShownPairs = 10;
constexpr size_t kMostCharts = 16;
constexpr size_t kMostBoxes = 64;

std::optional<Chart> Workloads(const std::string& node, const Json& workloads) {
  std::vector<Histogram> histograms;
  for (const auto& [gpu, shares] : workloads.items()) {
    Histogram one = {gpu, {}, NumbersIn(shares)};
    const size_t bins = one.shares.size();
    if (bins == 0 || bins > 1000 || histograms.size() >= kMostCharts) continue;
    for (size_t i = 0; i <= bins; ++i) {
      one.edges.push_back(100.0 * static_cast<double>(i) / static_cast<double>(bins));
    }
    histograms.push_back(std::move(one));
  }
  if (histograms.empty()) return std::nullopt;
  return HistogramChart("GPU utilization on " + node, "utilization (%)", histograms);
}

struct Pair {
  std::string node, one, other;
  double distance = 0;
};

void AddPairs(const std::string& node, const Json& distances, std::vector<Pair>* pairs) {
  for (const auto& [one, others] : distances.items()) {
    for (const Named& other : LargestFirst(others)) {
      pairs->push_back({node, one, other.name, other.value});
    }
  }
}

Table PairsTable(std::vector<Pair> pairs) {
  if (pairs.size() > kMostPairs) pairs.resize(kMostPairs);
  Table table = {.caption = "Difference between two GPUs (0: same, 1: no overlap)",
                 .columns = {"node", "GPU", "other GPU", "distance"},
                 .rows = {},
                 .numeric = {false, false, false, true},
                 .shown = kShownPairs};
  for (Pair& pair : pairs) {
    table.rows.push_back({std::move(pair.node), std::move(pair.one), std::move(pair.other),
                          Fixed(pair.distance, 3)});
  }
  return table;
}

}  // namespace

Section BalanceSection(const ProfilerInputs& inputs) {
  Section section = {.id = "balance", .title = "Load balancing"};
  std::vector<Pair> pairs;
  for (const auto& [node, statistics] : NodesIn(DetailsOf(inputs, "LoadBalancing"))) {
    auto chart = Workloads(node, ObjectAt(*statistics, "workloads"));
    if (chart && section.charts.size() < kMostCharts) section.charts.push_back(std::move(*chart));
    AddPairs(node, ObjectAt(*statistics, "distances"), &pairs);
  }
  if (section.charts.empty()) {
    section.text.push_back(NothingOf(inputs, "LoadBalancing"));
    return section;
  }
  section.text.push_back(VerdictOf(inputs, "LoadBalancing", "data points"));
  if (pairs.empty()) {
    section.text.push_back({"No node has two GPUs to compare."});
    section.charts.clear();
    return section;
  }
  SortStably(&pairs, [](const Pair& a, const Pair& b) { return a.distance > b.distance; });
  const Pair& most = pairs.front();
  const double limit = ParameterOf(inputs, "LoadBalancing", "threshold").value_or(0.5);
  // The rule also checks parts of the run, so the verdict above may differ from this.
  section.text.push_back({fmt::format(
      "Over the whole run, {} and {} on {} differ most: distance "
      "{} (limit {}).",
      most.one, most.other, most.node, ThreeDigits(most.distance), ThreeDigits(limit))});
  section.tables.push_back(PairsTable(std::move(pairs)));
  return section;
}

Section BatchSection(const ProfilerInputs& inputs) {
  Section section = {.id = "batch", .title = "Batch size"};
  const auto nodes = NodesIn(DetailsOf(inputs, "BatchSize"));
  std::vector<Box> boxes;
  for (const auto& [node, devices] : nodes) {
    for (const auto& [device, statistics] : NodesIn(*devices)) {
      std::string name = device == "cpu" ? "CPU" : device;
      std::replace(name.begin(), name.end(), '_', ' ');
      auto box = BoxOf(DeviceName(node, name, nodes.size() > 1), *statistics);
      if (box && boxes.size() < kMostBoxes) boxes.push_back(std::move(*box));
    }
  }
  if (boxes.empty()) {
    section.text.push_back(NothingOf(inputs, "BatchSize"));
    return section;
  }
  section.text.push_back(VerdictOf(inputs, "BatchSize", "data points"));
  const auto limit = [&](std::string_view name) {
    return ParameterOf(inputs, "BatchSize", name).value_or(70);
  };
  const double gpu = limit("gpu_threshold_p95");
  section.text.push_back({fmt::format(
      "The batch size is considered too small if, for 95 % of the time, the CPUs are below {}, a "
      "GPU is below {} and its memory is below {}.",
      Percent(limit("cpu_threshold_p95")), Percent(gpu),
      Percent(limit("gpu_memory_threshold_p95")))});
  section.charts.push_back(
      BoxChart("CPU, GPU and GPU memory utilization", "%", boxes, {{gpu, "p95 of a busy GPU"}}));
  return section;
}

}  // namespace warden::report
