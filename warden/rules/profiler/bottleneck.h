#ifndef WARDEN_RULES_PROFILER_BOTTLENECK_H_
#define WARDEN_RULES_PROFILER_BOTTLENECK_H_

// The common part of CPUBottleneck and IOBottleneck.

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "warden/rules/profiler/by_name.h"
#include "warden/rules/profiler/scanning_rule.h"
#include "warden/rules/profiler/span_log.h"

namespace warden::rules {

// How many of the last 100 points were bottlenecks. Constant time and memory.
class LastHundred {
 public:
  void Add(bool bottleneck);
  double Percent() const;  // 0 to 100. REQUIRES: something was added.

 private:
  std::array<bool, 100> ring_ = {};
  size_t next_ = 0;
  size_t size_ = 0;
  int64_t bottlenecks_ = 0;
};

// A GPU waits while something else is busy; a derived rule says what that is (Busy()). Fires for a
// node if more than `threshold` percent of its points after the patience were bottlenecks. With
// gpu=none the CPU usage of the training takes the place of the GPUs.
class Bottleneck : public ScanningRule {
 public:
  using ProfilerRule::See;
  void See(const timeline::NodeSample& sample, const timeline::Names& names) final;
  void See(const timeline::Span& span, const timeline::Names& names) final;

 protected:
  // rule, shown: as in ScanningRule. limit: the name of the parameter with the threshold of what is
  // busy. what: "mean CPU utilization", to stand before "was above 90 %". The rule also declares
  // threshold, gpu_threshold, patience and kGpu.
  Bottleneck(std::string_view rule, const Params& params,
             std::initializer_list<std::string_view> shown, std::string_view limit,
             std::string_view what);

  // How busy it was, in percent; NaN if that was not measured, and the sample does not count.
  virtual double Busy(const timeline::NodeSample& sample) const = 0;

  Evaluation EvaluateNow(int64_t now_us) final;
  void Tell(ProfilerResult* result) const final;

 private:
  // Of a node with a device.
  struct Node {
    int64_t seen = 0;    // Points, those of the patience included.
    int64_t points = 0;  // Those after the patience.
    int64_t bottlenecks = 0;
    int64_t low_gpu = 0;  // Points with a device below the threshold.
    LastHundred last;
    int64_t last_us = 0;  // The last sample's.
    Intervals moments;    // Of bottlenecks.
  };
  // A bottleneck for the report; the latest 1000 are kept.
  struct Moment {
    int64_t time_us = 0;
    int gpus = 0;
    int cpus = 0;
  };

  // Devices below the threshold; nothing if none was measured.
  std::optional<int> LowDevices(const timeline::NodeSample& sample) const;
  void Remember(const timeline::NodeSample& sample, int low_gpus, Node* node);
  double PercentOf(const Node& node) const;

  const std::string what_;
  const double threshold_;  // Percent of points.
  const double gpu_threshold_;
  const double busy_threshold_;  // Percent, of Busy().
  const int64_t patience_;
  const bool cpu_only_;
  int64_t samples_ = 0;  // With or without devices.
  ByName<Node> nodes_;   // Those with a device.
  std::deque<Moment> last_moments_;
  SpanLog spans_;  // To say what happened during bottlenecks.
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_BOTTLENECK_H_
