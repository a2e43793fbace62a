#include "warden/rules/profiler/bottleneck.h"
#include "warden/rules/profiler/rules.h"

namespace warden::rules {
namespace {

class WaitsForCpu : public Bottleneck {
 public:
  explicit WaitsForCpu(const Params& params)
      : Bottleneck("CPUBottleneck", params,
                   {"threshold", "cpu_threshold", "gpu_threshold", "patience"}, "cpu_threshold",
                   "the mean of the cores") {}

 protected:
  double Busy(const timeline::NodeSample& sample) const override { return sample.cpu; }
};

}  // namespace

RuleEntry CPUBottleneck() {
  static constexpr Param kParams[] = {
      PercentParam("threshold", "50", "Percent of the points that are too many"),
      PercentParam("cpu_threshold", "90", "The CPU is busy if the mean of its cores is above this"),
      PercentParam("gpu_threshold", "10", "A GPU waits if its utilisation is below this"),
      PatienceParam("1000"),
      kGpu,
      kScanInterval};
  static constexpr RuleSpec kSpec{
      "CPUBottleneck",
      "A GPU waits while the CPU is busy.",
      "Take work off the CPU: decode and augment data once and store the result, do it on the GPU, "
      "pin fewer threads to each data-loader worker, or take a machine with more cores for each "
      "GPU.",
      kParams,
      {},
      RuleKind::kProfiler};
  return {&kSpec, MakeWithGpu<WaitsForCpu>};
}

}  // namespace warden::rules
