#include "warden/rules/profiler/bottleneck.h"
#include "warden/rules/profiler/rules.h"

namespace warden::rules {
namespace {

class WaitsForIo : public Bottleneck {
 public:
  explicit WaitsForIo(const Params& params)
      : Bottleneck("IOBottleneck", params,
                   {"threshold", "io_threshold", "gpu_threshold", "patience"}, "io_threshold",
                   "the mean I/O wait of the cores") {}

 protected:
  double Busy(const timeline::NodeSample& sample) const override { return sample.io_wait; }
};

}  // namespace

RuleEntry IOBottleneck() {
  static constexpr Param kParams[] = {
      PercentParam("threshold", "50", "Percent of the points that are too many"),
      PercentParam("io_threshold", "50", "Data is late if the mean I/O wait is above this"),
      PercentParam("gpu_threshold", "10", "A GPU waits if its utilisation is below this"),
      PatienceParam("1000"),
      kGpu,
      kScanInterval};
  static constexpr RuleSpec kSpec{
      "IOBottleneck",
      "A GPU waits while the machine waits for its disks.",
      "Read less often and more at once: pack small files into large ones, prefetch batches, keep "
      "the data on a local disk or in memory, write checkpoints in the background.",
      kParams,
      {},
      RuleKind::kProfiler};
  return {&kSpec, MakeWithGpu<WaitsForIo>};
}

}  // namespace warden::rules
