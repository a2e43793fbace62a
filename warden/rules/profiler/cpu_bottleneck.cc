#include "warden/rules/profiler/bottleneck.h"
#include "warden/rules/profiler/profiler_rules.h"

namespace warden::rules {
namespace {

class WaitsForCpu : public Bottleneck {
 public:
  explicit WaitsForCpu(const Params& params)
      : Bottleneck("CPUBottleneck", params,
                   {"threshold", "cpu_threshold", "gpu_threshold", "patience"}, "cpu_threshold",
                   "mean CPU utilization") {}

 protected:
  double Busy(const timeline::NodeSample& sample) const override { return sample.cpu; }
};

}  // namespace

RuleEntry CPUBottleneck() {
  static constexpr Param kParams[] = {
      PercentParam("threshold", "50", "Maximum percentage of data points with a bottleneck"),
      PercentParam("cpu_threshold", "90",
                   "The CPU is busy if the mean utilization of its cores is "
                   "above this percentage"),
      PercentParam("gpu_threshold", "10",
                   "A GPU is waiting if its utilization is below this "
                   "percentage"),
      PatienceParam("1000", kPatienceOf100),
      kGpu,
      kScanInterval};
  static constexpr RuleSpec kSpec{
      "CPUBottleneck",
      "GPUs wait while the CPU is busy.",
      "Reduce CPU work: preprocess data once and store the result, or preprocess on the GPU. "
      "Otherwise limit the threads per data loader worker, or use a machine with more cores per "
      "GPU.",
      kParams,
      {},
      RuleKind::kProfiler,
      Severity::kWarning};
  return {&kSpec, MakeWithGpu<WaitsForCpu>};
}

}  // namespace warden::rules
