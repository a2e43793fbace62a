#include "warden/rules/profiler/bottleneck.h"
#include "warden/rules/profiler/profiler_rules.h"

namespace warden::rules {
namespace {

class WaitsForIo : public Bottleneck {
 public:
  explicit WaitsForIo(const Params& params)
      : Bottleneck("IOBottleneck", params,
                   {"threshold", "io_threshold", "gpu_threshold", "patience"}, "io_threshold",
                   "mean I/O wait") {}

 protected:
  double Busy(const timeline::NodeSample& sample) const override { return sample.io_wait; }
};

}  // namespace

RuleEntry IOBottleneck() {
  static constexpr Param kParams[] = {
      PercentParam("threshold", "50", "Maximum percentage of data points with a bottleneck"),
      PercentParam("io_threshold", "50",
                   "I/O is slow if the mean I/O wait of the cores is above "
                   "this percentage"),
      PercentParam("gpu_threshold", "10",
                   "A GPU is waiting if its utilization is below this percentage (SageMaker's "
                   "SDK sends 10, its guide says 70)"),
      PatienceParam("1000"),
      kGpu,
      kScanInterval};
  static constexpr RuleSpec kSpec{
      "IOBottleneck",
      "GPUs wait while the machine waits for disk I/O.",
      "Prefetch batches, pack small files into large ones, and keep the data on a local disk or in "
      "memory. Write checkpoints in the background.",
      kParams,
      {},
      RuleKind::kProfiler,
      Severity::kWarning};
  return {&kSpec, MakeWithGpu<WaitsForIo>};
}

}  // namespace warden::rules
