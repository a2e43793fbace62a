#include <array>
#include <cmath>

#include "warden/base/json.h"
#include "warden/rules/profiler/by_name.h"
#include "warden/rules/profiler/profiler_rules.h"
#include "warden/rules/profiler/scanning_rule.h"
#include "warden/rules/profiler/usage_series.h"
#include "warden/rules/profiler/value_distribution.h"

namespace warden::rules {
namespace {

constexpr std::array kUsageMetrics = {"Network", "GPU", "CPU", "CPU memory", "GPU memory", "I/O"};
using Values = std::array<double, kUsageMetrics.size()>;

// In the order of kUsageMetrics; NaN: not measured.
Values ValuesOf(const timeline::NodeSample& sample) {
  double use = 0;
  double memory = 0;
  int uses = 0;
  int memories = 0;
  for (const timeline::GpuSample& gpu : sample.gpus) {
    if (std::isfinite(gpu.utilization)) {
      use += gpu.utilization;
      ++uses;
    }
    if (std::isfinite(gpu.memory)) {
      memory += gpu.memory;
      ++memories;
    }
  }
  return {sample.network,
          uses > 0 ? use / uses : timeline::kNotMeasured,
          sample.cpu,
          sample.memory,
          memories > 0 ? memory / memories : timeline::kNotMeasured,
          sample.io_wait};
}

struct UsageNode {
  std::array<Distribution, kUsageMetrics.size()> all;
  SeriesClock clock;
  std::array<UsageSeries, kUsageMetrics.size()> series;
  ByName<UsageSeries> gpus;

  template <class F>
  void ForEachSeries(F visit) {
    for (UsageSeries& one : series) visit(&one);
    for (auto& [name, gpu] : gpus.all()) visit(&gpu);
  }
};

class SystemUsage : public ScanningRule {
 public:
  explicit SystemUsage(const Params& params) : ScanningRule("OverallSystemUsage", params, {}) {}

  using ProfilerRule::See;
  void See(const timeline::NodeSample& sample, const timeline::Names& names) override {
    ++samples_;
    UsageNode& node = nodes_.Of(sample.node, names);
    const Values values = ValuesOf(sample);
    for (size_t i = 0; i < kUsageMetrics.size(); ++i) node.all[i].Add(std::max(values[i], 0.0));
    int doubled = 0;
    const int64_t stretch = node.clock.Place(sample.time_s, &doubled);
    for (int i = 0; i < doubled; ++i) {
      node.ForEachSeries([](UsageSeries* series) { series->Double(); });
    }
    if (stretch < 0) return;
    for (size_t i = 0; i < kUsageMetrics.size(); ++i) node.series[i].Add(stretch, values[i]);
    for (const timeline::GpuSample& gpu : sample.gpus) {
      node.gpus.Of(gpu.name, names).Add(stretch, gpu.utilization);
    }
  }

 protected:
  Evaluation EvaluateNow(int64_t /*now_us*/) override {
    return {{}, samples_ == 0 ? std::string(kNoSamples) : ""};
  }

  void Tell(ProfilerResult* result) const override {
    Json details = Json::object();
    for (size_t i = 0; i < kUsageMetrics.size(); ++i) {
      Json& metric = details[kUsageMetrics[i]] = Json::object();
      for (const auto& [name, node] : nodes_.all()) {
        if (!node.all[i].empty()) metric[name] = StatisticsOf(node.all[i]);
      }
    }
    details["series"] = Json::object();
    details["gpus"] = Json::object();
    for (const auto& [name, node] : nodes_.all()) {
      TellSeries(node, &details["series"][name], &details["gpus"][name]);
    }
    result->datapoints = samples_;
    result->details = std::make_shared<const Json>(std::move(details));
  }

 private:
  static Json StatisticsOf(const Distribution& all) {
    return {{"max", Rounded(all.max())},          {"p99", Rounded(all.Quantile(0.99))},
            {"p95", Rounded(all.Quantile(0.95))}, {"p90", Rounded(all.Quantile(0.9))},
            {"p50", Rounded(all.Quantile(0.5))},  {"min", Rounded(all.min())}};
  }

  static void TellSeries(const UsageNode& node, Json* series, Json* gpus) {
    const int coarser = node.clock.Coarser();
    const auto coarse = [&](UsageSeries one) {
      for (int i = 0; i < coarser; ++i) one.Double();
      return one;
    };
    size_t length = 0;
    for (const UsageSeries& one : node.series) length = std::max(length, coarse(one).size());
    *series = Json::object();
    (*series)["start_s"] = Rounded(node.clock.start_s());
    (*series)["interval_s"] = Rounded(std::ldexp(node.clock.interval_s(), coarser));
    for (size_t i = 0; i < kUsageMetrics.size(); ++i) {
      coarse(node.series[i]).AppendTo(length, /*only_mean=*/false, &(*series)[kUsageMetrics[i]]);
    }
    *gpus = Json::object();
    for (const auto& [name, gpu] : node.gpus.all()) {
      coarse(gpu).AppendTo(length, /*only_mean=*/true, &(*gpus)[name]);
    }
  }

  int64_t samples_ = 0;
  ByName<UsageNode> nodes_;
};

}  // namespace

RuleEntry OverallSystemUsage() {
  static constexpr Param kParams[] = {kScanInterval};
  static constexpr RuleSpec kSpec{
      "OverallSystemUsage",
      "Reports the utilization of each machine; never fires.",
      "A resource at its limit is the bottleneck. A resource that is barely used can be smaller.",
      kParams,
      {},
      RuleKind::kProfiler,
      Severity::kWarning};
  return {&kSpec, Make<SystemUsage>};
}

}  // namespace warden::rules
