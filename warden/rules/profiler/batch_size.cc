#include <fmt/format.h>

#include "warden/base/json.h"
#include "warden/rules/profiler/by_name.h"
#include "warden/rules/profiler/point_window.h"
#include "warden/rules/profiler/profiler_rules.h"
#include "warden/rules/profiler/scanning_rule.h"

namespace warden::rules {
namespace {

// Of a CPU, a GPU or a memory.
struct Use {
  std::unique_ptr<PointWindow> recent;
  Distribution all;
};

struct Device {
  Use use;
  Use memory;
  int64_t evaluated = 0;  // Points, those of the patience included.
};

struct BatchNode {
  Use cpu;
  ByName<Device> gpus;
  Device training;  // With gpu=none.
};

class SmallBatches : public ScanningRule {
 public:
  explicit SmallBatches(const Params& params)
      : ScanningRule("BatchSize", params,
                     {"cpu_threshold_p95", "gpu_threshold_p95", "gpu_memory_threshold_p95",
                      "patience", "window"}),
        cpu_threshold_(params.Number("cpu_threshold_p95")),
        gpu_threshold_(params.Number("gpu_threshold_p95")),
        memory_threshold_(params.Number("gpu_memory_threshold_p95")),
        patience_(params.Integer("patience")),
        window_(params.Integer("window")),
        cpu_only_(IsCpuOnly(params)) {}

  using ProfilerRule::See;
  void See(const timeline::NodeSample& sample, const timeline::Names& names) override {
    last_us_ = std::max(last_us_, MicrosecondsOf(sample.time_s));
    BatchNode& node = nodes_.Of(sample.node, names);
    Add(sample.cpu, &node.cpu);
    if (cpu_only_) {
      Add(sample.training_cpu, &node.training.use);
      Add(sample.memory, &node.training.memory);
      return;
    }
    for (const timeline::GpuSample& measured : sample.gpus) {
      Device& gpu = node.gpus.Of(measured.name, names);
      Add(measured.utilization, &gpu.use);
      Add(measured.memory, &gpu.memory);
    }
  }

 protected:
  Evaluation EvaluateNow(int64_t /*now_us*/) override {
    Evaluation evaluation;
    std::string why(nodes_.empty() ? kNoSamples : "no CPU usage of the training was recorded");
    bool evaluated = false;
    for (auto& [name, node] : nodes_.all()) {
      if (HasNoGpu(node)) {
        const bool enough = Seen(node.cpu) > patience_;
        if (!enough) why = OnlySoMany(Seen(node.cpu), patience_ + 1);
        evaluated = evaluated || enough;
      }
      ForEachDevice(&node, [&](const std::string& device_name, Device* device) {
        const int64_t points = std::min({Seen(node.cpu), Seen(device->use), Seen(device->memory)});
        if (points <= patience_) {
          why = OnlySoMany(points, patience_ + 1);
          return;
        }
        evaluated = true;
        EvaluateDevice(name, node, device_name, device, &evaluation);
      });
    }
    if (!evaluated) evaluation.not_evaluated = why;
    return evaluation;
  }

  void Tell(ProfilerResult* result) const override {
    Json details = Json::object();
    for (const auto& [name, node] : nodes_.all()) {
      Json& told = details[name] = Json::object();
      told["cpu"] = BoxOf(node.cpu.all);
      if (HasNoGpu(node)) result->datapoints += node.cpu.all.count();
      ForEachDevice(&node, [&](const std::string& device_name, const Device* device) {
        told[device_name] = BoxOf(device->use.all);
        told[device_name + "_memory"] = BoxOf(device->memory.all);
        result->datapoints += device->use.all.count();
      });
    }
    details["last_timestamp"] = last_us_;
    result->violations = violations_;
    result->details = std::make_shared<const Json>(std::move(details));
  }

 private:
  void Add(double value, Use* use) const {
    if (!use->recent) use->recent = std::make_unique<PointWindow>(window_, patience_);
    use->recent->Add(value);
    use->all.Add(value);
  }

  // Whether there is no GPU that could be underused. Such a node counts, as in the original, and
  // never has a problem.
  bool HasNoGpu(const BatchNode& node) const { return !cpu_only_ && node.gpus.empty(); }

  static int64_t Seen(const Use& use) { return use.recent ? use.recent->seen() : 0; }

  // A device that was measured at least once.
  template <class N, class F>
  static void ForEachDevice(N* node, F visit) {
    for (auto& [name, gpu] : node->gpus.all()) visit(name, &gpu);
    if (!node->training.use.all.empty()) visit("training", &node->training);
  }

  void EvaluateDevice(const std::string& node_name, const BatchNode& node,
                      const std::string& device_name, Device* device, Evaluation* evaluation) {
    const int64_t points = device->use.recent->seen();
    const int64_t fresh = points - std::max(device->evaluated, patience_);
    device->evaluated = points;
    const auto cpu = node.cpu.recent->At(0.95);
    const auto use = device->use.recent->At(0.95);
    const auto memory = device->memory.recent->At(0.95);
    if (!cpu.Below(cpu_threshold_) || !use.Below(gpu_threshold_) ||
        !memory.Below(memory_threshold_)) {
      return;
    }
    violations_ += fresh;
    evaluation->firings.push_back(
        {device_name,
         node_name,
         {use.whole, gpu_threshold_,
          fmt::format("p95 over the last {} data points: utilization {:.3g} % (below {:g} %), "
                      "memory {:.3g} % (below {:g} %), CPU {:.3g} % (below {:g} %)",
                      device->use.recent->size(), use.whole, gpu_threshold_, memory.whole,
                      memory_threshold_, cpu.whole, cpu_threshold_)}});
  }

  const double cpu_threshold_;
  const double gpu_threshold_;
  const double memory_threshold_;
  const int64_t patience_;
  const int64_t window_;
  const bool cpu_only_;
  int64_t violations_ = 0;
  int64_t last_us_ = 0;
  ByName<BatchNode> nodes_;
};

}  // namespace

RuleEntry BatchSize() {
  static constexpr Param kParams[] = {
      PercentParam("cpu_threshold_p95", "70",
                   "CPU utilization is low if its p95 is below this "
                   "percentage"),
      PercentParam("gpu_threshold_p95", "70",
                   "GPU utilization is low if its p95 is below this "
                   "percentage"),
      PercentParam("gpu_memory_threshold_p95", "70",
                   "GPU memory usage is low if its p95 is below this percentage"),
      PatienceParam("1000", kPatienceOf100),
      WindowParam("500"),
      kGpu,
      kScanInterval};
  static constexpr RuleSpec kSpec{
      "BatchSize",
      "CPU, GPU and GPU memory are all underused: the batch size may be too small.",
      "Increase the batch size and adjust the learning rate. Otherwise use a smaller machine: CPU, "
      "GPU and GPU memory are not the bottleneck.",
      kParams,
      {},
      RuleKind::kProfiler,
      Severity::kWarning};
  return {&kSpec, MakeWithGpu<SmallBatches>};
}

}  // namespace warden::rules
