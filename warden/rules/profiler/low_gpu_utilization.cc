#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/rules/profiler/by_name.h"
#include "warden/rules/profiler/point_window.h"
#include "warden/rules/profiler/profiler_rules.h"
#include "warden/rules/profiler/scanning_rule.h"

namespace warden::rules {
namespace {

struct GpuUse {
  std::unique_ptr<PointWindow> recent;
  Distribution all;
  int64_t evaluated = 0;  // Points, those of the patience included.
  int64_t low = 0;        // Points at which it was.
  int64_t fluctuating = 0;
};

class LowUtilization : public ScanningRule {
 public:
  explicit LowUtilization(const Params& params)
      : ScanningRule("LowGPUUtilization", params, {}),
        threshold_p95_(params.Number(params.Given("threshold") ? "threshold" : "threshold_p95")),
        threshold_p5_(params.Number("threshold_p5")),
        window_(params.Integer("window")),
        patience_(params.Integer("patience")) {
    SetParameters(fmt::format("threshold_p95:{:g}\nthreshold_p5:{:g}\nwindow:{}\npatience:{}",
                              threshold_p95_, threshold_p5_, window_, patience_));
  }

  using ProfilerRule::See;
  void See(const timeline::NodeSample& sample, const timeline::Names& names) override {
    last_us_ = std::max(last_us_, MicrosecondsOf(sample.time_s));
    ++samples_;
    for (const timeline::GpuSample& measured : sample.gpus) {
      GpuUse& gpu = nodes_.Of(sample.node, names).Of(measured.name, names);
      if (!gpu.recent) gpu.recent = std::make_unique<PointWindow>(window_, patience_);
      gpu.recent->Add(measured.utilization);
      gpu.all.Add(measured.utilization);
    }
  }

 protected:
  Evaluation EvaluateNow(int64_t /*now_us*/) override {
    Evaluation evaluation;
    if (nodes_.empty()) {
      evaluation.not_evaluated = samples_ == 0 ? kNoSamples : kNoGpu;
      return evaluation;
    }
    bool evaluated = false;
    int64_t most = 0;
    for (auto& [node, gpus] : nodes_.all()) {
      for (auto& [name, gpu] : gpus.all()) {
        most = std::max(most, gpu.recent->seen());
        if (!gpu.recent->enough()) continue;
        evaluated = true;
        EvaluateGpu(node, name, &gpu, &evaluation);
      }
    }
    if (!evaluated) evaluation.not_evaluated = OnlySoMany(most, patience_ + 1);
    return evaluation;
  }

  void Tell(ProfilerResult* result) const override {
    Json details = Json::object();
    for (const auto& [node, gpus] : nodes_.all()) {
      for (const auto& [name, gpu] : gpus.all()) {
        result->datapoints += gpu.all.count();
        result->violations += gpu.low + gpu.fluctuating;
        if (!gpu.all.empty()) details[node][name] = DetailsOf(gpu);
      }
    }
    details["last_timestamp"] = last_us_;
    result->details = std::make_shared<const Json>(std::move(details));
  }

 private:
  void EvaluateGpu(const std::string& node, const std::string& name, GpuUse* gpu,
                   Evaluation* evaluation) const {
    const int64_t fresh = gpu->recent->seen() - std::max(gpu->evaluated, patience_);
    gpu->evaluated = gpu->recent->seen();
    const auto p95 = gpu->recent->At(0.95);
    const auto p5 = gpu->recent->At(0.05);
    if (p95.Below(threshold_p95_)) {
      gpu->low += fresh;
      const bool unused = gpu->all.max() == 0;
      evaluation->firings.push_back(
          {name,
           node,
           {p95.whole, threshold_p95_,
            unused ? fmt::format("not used in {} data points", gpu->recent->seen())
                   : fmt::format("p95 utilization over the last {} data points is {:.3g} % "
                                 "(threshold {:g} %)",
                                 gpu->recent->size(), p95.whole, threshold_p95_)}});
    } else if (p95.Above(threshold_p95_) && p5.Below(threshold_p5_)) {
      gpu->fluctuating += fresh;
      evaluation->firings.push_back(
          {name,
           node,
           {p5.whole, threshold_p5_,
            fmt::format("utilization fluctuates over the last {} data points: p95 {:.3g} %, p5 "
                        "{:.3g} % (threshold {:g} %)",
                        gpu->recent->size(), p95.whole, p5.whole, threshold_p5_)}});
    }
  }

  static Json DetailsOf(const GpuUse& gpu) {
    Json details = Json::object();
    details["gpu_max"] = Rounded(gpu.all.max());
    details["gpu_95"] = Rounded(gpu.recent->Whole(0.95));
    details["gpu_5"] = Rounded(gpu.recent->Whole(0.05));
    details.update(BoxOf(gpu.all));
    details["low"] = gpu.low;
    details["fluctuating"] = gpu.fluctuating;
    return details;
  }

  const double threshold_p95_;
  const double threshold_p5_;
  const int64_t window_;
  const int64_t patience_;
  int64_t samples_ = 0;
  int64_t last_us_ = 0;
  ByName<ByName<GpuUse>> nodes_;
};

Result<std::unique_ptr<Rule>> MakeLowUtilization(const Params& params) {
  if (params.Given("threshold") && params.Given("threshold_p95")) {
    return params.Refuse("threshold is an alias of threshold_p95; set only one of them");
  }
  return Make<LowUtilization>(params);
}

}  // namespace

RuleEntry LowGPUUtilization() {
  static constexpr Param kParams[] = {
      PercentParam("threshold_p95", "70",
                   "GPU utilization is low if its p95 is below this "
                   "percentage"),
      PercentParam("threshold_p5", "10",
                   "GPU utilization fluctuates if its p5 is below this "
                   "percentage"),
      WindowParam("500"),
      PatienceParam("1000"),
      PercentParam("threshold", "", "Alias of threshold_p95"),
      kScanInterval};
  static constexpr RuleSpec kSpec{
      "LowGPUUtilization",
      "GPU utilization is low or fluctuates.",
      "Check CPUBottleneck, IOBottleneck and Dataloader for what the GPU waits for. If they pass, "
      "increase the batch size, avoid synchronizing calls such as .item() and .cpu(), or use a "
      "smaller GPU.",
      kParams,
      {},
      RuleKind::kProfiler,
      Severity::kWarning};
  return {&kSpec, MakeLowUtilization};
}

}  // namespace warden::rules
