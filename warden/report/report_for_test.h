#ifndef WARDEN_REPORT_REPORT_FOR_TEST_H_
#define WARDEN_REPORT_REPORT_FOR_TEST_H_

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/json.h"
#include "warden/report/profiler/profiler_report.h"

namespace warden::report {

// Inputs of reports for tests: what rules write of an hour on some machines, as
// docs/design/011-profiling.md has it. The same every time.
class MadeUpJob {
 public:
  MadeUpJob(std::vector<std::string> nodes, std::vector<std::string> gpus)
      : nodes_(std::move(nodes)), gpus_(std::move(gpus)) {}

  ProfilerInputs Inputs() {
    ProfilerInputs inputs;
    inputs.job = {"resnet50-imagenet",
                  "/data/runs/resnet50",
                  nodes_,
                  "python train.py --epochs 90 --batch-size 64",
                  false,
                  kStart + kSeconds + 5};
    Add(&inputs, "StepOutlier", 15, "threshold:3\nmode:None\nn_outliers:10\nstddev:3", Steps());
    Add(&inputs, "LowGPUUtilization", 12,
        "threshold_p95:70\nthreshold_p5:10\nwindow:500\npatience:1000", GpuUse());
    Add(&inputs, "Dataloader", 9, "min_threshold:70\nmax_threshold:200", Loading());
    Add(&inputs, "CPUBottleneck", 7,
        "threshold:50\ncpu_threshold:90\ngpu_threshold:10\npatience:1000", Bottleneck(4100));
    Add(&inputs, "IOBottleneck", 0,
        "threshold:50\nio_threshold:50\ngpu_threshold:10\npatience:1000", Bottleneck(301));
    Add(&inputs, "GPUMemoryIncrease", 3, "increase:5\npatience:1000\nwindow:10", Memory());
    Add(&inputs, "BatchSize", 2,
        "cpu_threshold_p95:70\ngpu_threshold_p95:70\ngpu_memory_threshold_p95:70\npatience:1000\n"
        "window:500",
        Batch());
    Add(&inputs, "LoadBalancing", 1, "threshold:0.5\npatience:1000", Balance());
    Add(&inputs, "MaxInitializationTime", 0, "threshold:20", Times());
    Add(&inputs, "OverallSystemUsage", 0, "", Usage());
    Add(&inputs, "OverallFrameworkMetrics", 0, "", Framework());
    return inputs;
  }

 private:
  static constexpr double kStart = 1794740400;
  static constexpr double kSeconds = 3600;
  static constexpr int kPoints = 600;

  static void Add(ProfilerInputs* inputs, std::string rule, int64_t triggered,
                  std::string parameters, Json details) {
    inputs->results.push_back({std::move(rule), triggered, triggered * 7, 7212,
                               std::move(parameters), "",
                               std::make_shared<const Json>(std::move(details))});
  }

  double Noise(double scale) { return scale * std::uniform_real_distribution<>(-1, 1)(random_); }

  static Json BoxAround(double median, double spread) {
    const auto percent = [](double value) { return std::clamp(value, 0.0, 100.0); };
    return {{"p25", percent(median - spread)},       {"p50", percent(median)},
            {"p75", percent(median + spread)},       {"p95", percent(median + 1.8 * spread)},
            {"upper", percent(median + 2 * spread)}, {"lower", percent(median - 2 * spread)}};
  }

  double GpuMedian(size_t gpu) const {
    return std::max(5.0, 62.0 - 11.0 * static_cast<double>(gpu));
  }

  Json Framework() const {
    return {{"ratio", {{"TRAIN", 61.5}, {"EVAL", 9.0}, {"others", 29.5}}},
            {"phase", {{"Forward", 31.0}, {"Backward", 44.0}, {"Optimizer", 7.0}}},
            {"phase_time", {{"Forward", 9.1e8}, {"Backward", 1.2e9}, {"Optimizer", 2.0e8}}},
            {"forward_backward",
             {{"Forward", 27.0}, {"Backward", 41.0}, {"Optimizer", 7.5}, {"DataLoader", 24.5}}},
            {"CPU_GPU", {{"cpu_functions", 38.2}, {"gpu_functions", 61.8}}},
            {"CPU", {{"aten::conv2d", 40.0}}},
            {"CPU_total", Operators("aten::conv2d", 60, 2)},
            {"CPU_self", Operators("aten::conv2d", 60, 1)},
            {"GPU", {{"volta_sgemm_128x64_nn", 31.0}}},
            {"GPU_total", Operators("volta_sgemm_128x64_nn", 24, 1)},
            {"GPU_self", Operators("volta_sgemm_128x64_nn", 24, 1)},
            {"general",
             {{"DataLoaderIter", 34.0},
              {"CrossEntropyLoss", 21.0},
              {"ResNet", 19.5},
              {"checkpoint", 12.0},
              {"all_reduce", 9.5},
              {"logging", 4.0}}},
            {"horovod", Json::object()},
            {"steps", {{"TRAIN", {{"count", 5000}, {"us", 2.2e9}}}}}};
  }

  // nested: how many times as long they take with the operators inside them.
  static Json Operators(const std::string& first, int count, double nested) {
    Json times = Json::object();
    times[first] = 4.1e7 * nested;
    for (int i = 1; i < count; ++i) times["aten::op_" + std::to_string(i)] = 3.5e7 * nested / i;
    return times;
  }

  static Json Bell(double from, double to, double peak, double width, int bins) {
    Json shares = Json::array();
    for (int i = 0; i < bins; ++i) {
      const double x = from + (to - from) * (i + 0.5) / bins;
      const double z = (x - peak) / width;
      shares.push_back(std::exp(-z * z / 2) + (i % 37 == 20 ? 0.01 : 0));
    }
    return shares;
  }

  static Json Edges(double from, double to, int bins) {
    Json edges = Json::array();
    for (int i = 0; i <= bins; ++i) edges.push_back(from + (to - from) * i / bins);
    return edges;
  }

  Json Steps() {
    Json details = Framework();
    for (size_t n = 0; n < nodes_.size(); ++n) {
      const double usual = 0.42 + 0.05 * static_cast<double>(n);
      Json node = {{"step_stats",
                    {{"mean", usual * 1.04},
                     {"max", 2.53},
                     {"p99", usual * 1.5},
                     {"p95", usual * 1.2},
                     {"p50", usual},
                     {"min", usual * 0.8}}},
                   {"number_of_outliers", 21},
                   {"phase", "Step:ModeKeys.TRAIN"},
                   {"stddev", 0.13},
                   {"probs", Bell(0.3, 2.53, usual, 0.04, 100)},
                   {"binedges", Edges(0.3, 2.53, 100)},
                   {"step_numbers", Json::array()},
                   {"outliers", Json::array()},
                   {"series", Json::array()}};
      for (int i = 0; i < kPoints; ++i) {
        const double time = (kStart + 300) * 1e6 + i * 5.0e6;
        const bool outlier = i % 29 == 17;
        const double seconds = outlier ? usual * 3 + Noise(0.7) : usual + std::abs(Noise(0.1));
        node["series"].push_back({time, seconds});
        if (!outlier) continue;
        node["step_numbers"].push_back(i * 8);
        node["outliers"].push_back({i * 8, time, seconds});
      }
      details["step_details"][nodes_[n]] = std::move(node);
    }
    return details;
  }

  Json GpuUse() const {
    Json details;
    for (const std::string& node : nodes_) {
      for (size_t i = 0; i < gpus_.size(); ++i) {
        Json box = BoxAround(GpuMedian(i), 12);
        box.update({{"gpu_max", 97.0},
                    {"gpu_95", GpuMedian(i) + 20},
                    {"gpu_5", 4.0},
                    {"low", i > 0 ? 6 : 0},
                    {"fluctuating", i == 0 ? 3 : 0}});
        details[node][gpus_[i]] = std::move(box);
      }
    }
    details["last_timestamp"] = kStart * 1e6;
    return details;
  }

  Json Memory() const {
    Json details;
    for (const std::string& node : nodes_) {
      for (size_t i = 0; i < gpus_.size(); ++i) {
        Json box = BoxAround(52 + 4.0 * static_cast<double>(i), 6);
        box.update({{"increase", 1.2},
                    {"gpu_max", 71.0},
                    {"p05", 41.0},
                    {"slope_percent_per_hour", i == 0 ? 3.4 : 0.02},
                    {"leak", i == 0}});
        details[node][gpus_[i]] = std::move(box);
      }
    }
    return details;
  }

  Json Batch() const {
    Json details;
    for (const std::string& node : nodes_) {
      details[node]["cpu"] = BoxAround(34, 9);
      for (size_t i = 0; i < gpus_.size(); ++i) {
        details[node][gpus_[i]] = BoxAround(GpuMedian(i), 12);
        details[node][gpus_[i] + "_memory"] = BoxAround(48, 7);
      }
    }
    return details;
  }

  Json Balance() const {
    Json details;
    for (const std::string& node : nodes_) {
      for (size_t i = 0; i < gpus_.size(); ++i) {
        details[node]["workloads"][gpus_[i]] = Bell(0, 100, GpuMedian(i), 14, 10);
        for (size_t j = i + 1; j < gpus_.size(); ++j) {
          details[node]["distances"][gpus_[i]][gpus_[j]] = 0.21 * static_cast<double>(j - i);
        }
      }
    }
    return details;
  }

  static Json Loading() {
    return {{"pin_memory", false},
            {"num_workers", 4},
            {"prefetch", nullptr},
            {"cores", 16},
            {"dataloaders", 4},
            {"seconds", 3100},
            {"dataloading_time",
             {{"p25", 0.021},
              {"p50", 0.028},
              {"p95", 0.163},
              {"probs", Bell(0, 0.2, 0.028, 0.01, 100)},
              {"binedges", Edges(0, 0.2, 100)}}}};
  }

  Json Bottleneck(double points) const {
    Json details = Framework();
    details["low_gpu_utilization"] = points * 1.2;
    details["bottlenecks"] = {
        {std::to_string(static_cast<int64_t>(kStart * 1e6)), {{"GPUs", 2}, {"CPUs", 3}}}};
    details["points"] = 7212;
    details["bottleneck_points"] = points;
    for (const std::string& node : nodes_) {
      details["nodes"][node] = {
          {"points", 3606}, {"bottlenecks", points / 2}, {"low_gpu", points * 0.6}};
    }
    return details;
  }

  static Json Times() {
    return {{"step_num", {{"first", (kStart + 300) * 1e6}, {"last", (kStart + 3500) * 1e6}}},
            {"job_start", kStart},
            {"job_end", kStart + kSeconds}};
  }

  Json Usage() {
    static const std::pair<const char*, double> kMetrics[] = {
        {"Network", 2.4e8}, {"GPU", 48},        {"CPU", 74},
        {"CPU memory", 22}, {"GPU memory", 55}, {"I/O", 6}};
    Json details;
    for (const std::string& node : nodes_) {
      details["series"][node] = {{"start_s", kStart}, {"interval_s", kSeconds / kPoints}};
      for (const auto& [metric, middle] : kMetrics) {
        details[metric][node] = {{"max", middle * 1.4}, {"p99", middle * 1.3},
                                 {"p95", middle * 1.2}, {"p90", middle * 1.1},
                                 {"p50", middle},       {"min", middle * 0.1}};
        details["series"][node][metric] = Series(middle);
      }
      for (size_t i = 0; i < gpus_.size(); ++i) {
        details["gpus"][node][gpus_[i]] = {{"mean", Series(GpuMedian(i))["mean"]}};
      }
    }
    return details;
  }

  Json Series(double middle) {
    Json columns = {{"min", Json::array()}, {"mean", Json::array()}, {"max", Json::array()}};
    for (int i = 0; i < kPoints; ++i) {
      const bool idle = i < 50 || i > 583;
      const double wave =
          middle * (idle ? 0.06 : 1 + 0.18 * std::sin(i / 17.0)) + Noise(middle / 9);
      const double mean = std::max(0.0, wave);
      const bool lost = i > 300 && i < 309;
      columns["mean"].push_back(lost ? Json() : Json(mean));
      columns["min"].push_back(lost ? Json() : Json(mean * 0.8));
      columns["max"].push_back(lost ? Json() : Json(mean * 1.15));
    }
    return columns;
  }

  std::vector<std::string> nodes_;
  std::vector<std::string> gpus_;
  std::mt19937 random_{7};
};

inline ProfilerInputs FullInputs() {
  return MadeUpJob({"algo-1", "algo-2"}, {"gpu0", "gpu1", "gpu2", "gpu3"}).Inputs();
}

// Rules that have seen too little, as at the start of every job.
inline ProfilerInputs EmptyInputs() {
  ProfilerInputs inputs = FullInputs();
  for (rules::ProfilerResult& result : inputs.results) {
    result.triggered = result.violations = result.datapoints = 0;
    result.not_evaluated = "needs 1000 data points, found 12";
    result.details = std::make_shared<const Json>(Json::object());
  }
  return inputs;
}

// Names that try to be markup, script or nonsense, and numbers that are none.
inline ProfilerInputs HostileInputs() {
  const std::string markup = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>";
  ProfilerInputs inputs =
      MadeUpJob({markup, "\xff\xfe\xe2\x80\xae node\x01", "<!--"}, {markup, "]]>", "\xc3\x28"})
          .Inputs();
  inputs.job.name = inputs.job.command = inputs.job.folder = markup;
  inputs.results[0].not_evaluated = markup;
  inputs.results[1].parameters = markup + ":" + markup;
  Json usage = *inputs.results[9].details;
  Json& series = usage["series"][markup];
  series["CPU"]["mean"][3] = std::numeric_limits<double>::quiet_NaN();
  series["CPU"]["mean"][4] = -std::numeric_limits<double>::infinity();
  series["CPU"]["mean"][5] = markup;
  series["CPU"]["mean"][6] = 1e308;
  inputs.results[9].details = std::make_shared<const Json>(std::move(usage));
  return inputs;
}

}  // namespace warden::report

#endif  // WARDEN_REPORT_REPORT_FOR_TEST_H_
