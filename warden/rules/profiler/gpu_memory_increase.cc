#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "warden/base/json.h"
#include "warden/rules/profiler/by_name.h"
#include "warden/rules/profiler/profiler_rules.h"
#include "warden/rules/profiler/scanning_rule.h"
#include "warden/rules/profiler/trend.h"
#include "warden/rules/profiler/value_distribution.h"

namespace warden::rules {
namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

// The mean of the last points less that of as many before them.
class Rise {
 public:
  // Minus infinity until there are enough points.
  double Add(double value, size_t window) {
    if (values_.size() < 2 * window) {
      values_.push_back(value);
      (values_.size() <= window ? before_ : last_) += value;
    } else {
      const double to_before = values_[(oldest_ + window) % values_.size()];
      before_ += to_before - values_[oldest_];
      last_ += value - to_before;
      values_[oldest_] = value;
      oldest_ = (oldest_ + 1) % values_.size();
      if (oldest_ == 0) SumUp(window);
    }
    if (values_.size() < 2 * window) return kNone;
    return (last_ - before_) / static_cast<double>(window);
  }

 private:
  // Anew, so that rounding errors do not pile up. REQUIRES: the oldest value is the first.
  void SumUp(size_t window) {
    before_ = last_ = 0;
    for (size_t i = 0; i < values_.size(); ++i) (i < window ? before_ : last_) += values_[i];
  }

  std::vector<double> values_;  // Once full, a ring.
  size_t oldest_ = 0;
  double before_ = 0;
  double last_ = 0;
};

struct GpuMemory {
  Distribution all;
  Rise rise;
  Trend trend;
  int64_t seen = 0;
  int64_t violations = 0;
  double fresh_rise = kNone;    // The largest since the last evaluation, ...
  double largest_rise = kNone;  // ... and of the run.
  bool leaks = false;
};

class MemoryIncrease : public ScanningRule {
 public:
  explicit MemoryIncrease(const Params& params)
      : ScanningRule("GPUMemoryIncrease", params, {"increase", "patience", "window"}),
        increase_(params.Number("increase")),
        patience_(params.Integer("patience")),
        window_(params.Integer("window")) {}

  using ProfilerRule::See;
  void See(const timeline::NodeSample& sample, const timeline::Names& names) override {
    last_us_ = std::max(last_us_, MicrosecondsOf(sample.time_s));
    ++samples_;
    for (const timeline::GpuSample& measured : sample.gpus) {
      if (!std::isfinite(measured.memory)) continue;
      See(sample.time_s, measured.memory, &nodes_.Of(sample.node, names).Of(measured.name, names));
    }
  }

 protected:
  Evaluation EvaluateNow(int64_t /*now_us*/) override {
    Evaluation evaluation;
    if (nodes_.empty()) {
      evaluation.not_evaluated = samples_ == 0 ? kNoSamples : kNoGpu;
      return evaluation;
    }
    const int64_t needed = patience_ + 2 * window_;
    bool evaluated = false;
    int64_t most = 0;
    for (auto& [node, gpus] : nodes_.all()) {
      for (auto& [name, gpu] : gpus.all()) {
        most = std::max(most, gpu.seen);
        if (gpu.seen < needed) continue;
        evaluated = true;
        EvaluateGpu(node, name, &gpu, &evaluation);
      }
    }
    if (!evaluated) evaluation.not_evaluated = OnlySoMany(most, needed);
    return evaluation;
  }

  void Tell(ProfilerResult* result) const override {
    Json details = Json::object();
    for (const auto& [node, gpus] : nodes_.all()) {
      for (const auto& [name, gpu] : gpus.all()) {
        result->datapoints += gpu.seen;
        result->violations += gpu.violations;
        details[node][name] = DetailsOf(gpu);
      }
    }
    details["last_timestamp"] = last_us_;
    result->details = std::make_shared<const Json>(std::move(details));
  }

 private:
  void See(double time_s, double memory, GpuMemory* gpu) const {
    gpu->all.Add(memory);
    if (++gpu->seen <= patience_) return;
    gpu->trend.Add(time_s, memory);
    const double rise = gpu->rise.Add(memory, static_cast<size_t>(window_));
    gpu->fresh_rise = std::max(gpu->fresh_rise, rise);
    gpu->largest_rise = std::max(gpu->largest_rise, rise);
    if (rise > increase_ || gpu->leaks) ++gpu->violations;
  }

  void EvaluateGpu(const std::string& node, const std::string& name, GpuMemory* gpu,
                   Evaluation* evaluation) const {
    const double rise = std::exchange(gpu->fresh_rise, kNone);
    const auto line = gpu->trend.Fit();
    gpu->leaks = line && line->steady && line->surely * line->length_s > increase_;
    if (gpu->leaks) {
      const double total = line->slope * line->length_s;
      evaluation->firings.push_back(
          {name,
           node,
           {total, increase_,
            fmt::format("memory grows steadily by {:.3g} percentage points in {} ({:.3g} per hour, "
                        "threshold {:g}), peak {:.3g} %",
                        total, DurationText(line->length_s), line->slope * 3600, increase_,
                        gpu->all.max())}});
    } else if (rise > increase_) {
      evaluation->firings.push_back(
          {name,
           node,
           {rise, increase_,
            fmt::format("mean memory usage over {} data points rose by {:.3g} percentage points "
                        "(threshold {:g})",
                        window_, rise, increase_)}});
    }
  }

  static std::string DurationText(double seconds) {
    if (seconds < 120) return fmt::format("{:.3g} s", seconds);
    return seconds < 7200 ? fmt::format("{:.3g} min", seconds / 60)
                          : fmt::format("{:.3g} h", seconds / 3600);
  }

  static Json DetailsOf(const GpuMemory& gpu) {
    const auto line = gpu.trend.Fit();
    Json details = Json::object();
    details["increase"] = Rounded(std::isfinite(gpu.largest_rise) ? gpu.largest_rise : 0);
    details["gpu_max"] = Rounded(gpu.all.max());
    details["slope_percent_per_hour"] = Rounded(line ? line->slope * 3600 : 0);
    details["leak"] = gpu.leaks;
    details["p05"] = Rounded(gpu.all.Quantile(0.05));
    details.update(BoxOf(gpu.all));
    return details;
  }

  const double increase_;
  const int64_t patience_;
  const int64_t window_;
  int64_t samples_ = 0;
  int64_t last_us_ = 0;
  ByName<ByName<GpuMemory>> nodes_;
};

}  // namespace

RuleEntry GPUMemoryIncrease() {
  static constexpr Param kParams[] = {
      {"increase", ParamType::kNumber, "5",
       "Maximum increase of GPU memory usage, in percentage points (SageMaker's SDK sends 5, its "
       "guide says 10)",
       0, 100},
      PatienceParam("1000", kPatienceOf100),
      WindowParam("10",
                  "Number of recent data points to check (SageMaker's SDK sends 10, its guide says "
                  "500)"),
      kScanInterval};
  static constexpr RuleSpec kSpec{
      "GPUMemoryIncrease",
      "GPU memory usage jumped or keeps growing.",
      "Steady growth: look for tensors kept between steps. Accumulate loss.item() instead of loss, "
      "detach() stored tensors, and evaluate under no_grad(). Jump: check batch and sequence "
      "sizes, and leave room for the largest.",
      kParams,
      {},
      RuleKind::kProfiler,
      Severity::kWarning};
  return {&kSpec, Make<MemoryIncrease>};
}

}  // namespace warden::rules
