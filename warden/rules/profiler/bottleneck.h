#ifndef WARDEN_RULES_PROFILER_BOTTLENECK_H_
#define WARDEN_RULES_PROFILER_BOTTLENECK_H_

// The common part of CPUBottleneck and IOBottleneck: counts the data points at which a GPU is idle
// although something else on its node is busy, and says what the training did meanwhile.

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "warden/rules/profiler/by_name.h"
#include "warden/rules/profiler/scanning_rule.h"
#include "warden/rules/profiler/span_log.h"

namespace warden::rules {

// How many of the last 100 points were bottlenecks. Constant time and memory. For nodes with few
// points after the patience: those of the patience have to agree, since one of one is 100 %. For
// one thread.
class LastHundred {
 public:
  // Replaces the oldest once there are 100.
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
// gpu=none the CPU usage of the training takes the place of the GPUs. The points of a node without
// a GPU are counted, and are never bottlenecks, as in the original. Samples in which the GPUs or,
// with gpu=none, the CPU usage of the training were not measured, and those in which Busy() is not
// known, count for nothing. Memory grows with the number of nodes and, in the span log, with its
// own limits. For one thread.
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

  // One finding for each node, with the percentage, the number of points and both thresholds. Not
  // evaluated, with the reason, if no node has a point after the patience.
  Evaluation EvaluateNow(int64_t now_us) final;
  // For the report: counts by node, the moments of bottlenecks, and what the timeline shows for
  // them.
  void Tell(ProfilerResult* result) const final;

 private:
  struct Node {
    int64_t seen = 0;    // Points, those of the patience included.
    int64_t points = 0;  // Those after the patience.
    int64_t bottlenecks = 0;
    int64_t low_gpu = 0;  // Points with a device below the threshold.
    LastHundred last;
    int64_t last_us = 0;  // The last sample's.
    // Of bottlenecks: from the sample before, at most 60 seconds, to the one that showed it.
    Intervals moments;
  };
  // A bottleneck for the report; the latest 1000 are kept. Of different nodes at the same time they
  // are added up in the report.
  struct Moment {
    int64_t time_us = 0;
    int gpus = 0;
    int cpus = 0;
  };

  // How many devices are below gpu_threshold in this sample; nothing if they were not measured.
  std::optional<int> LowDevices(const timeline::NodeSample& sample) const;
  // Counts the bottleneck and its time, and keeps it for the report.
  void Remember(const timeline::NodeSample& sample, int low_gpus, Node* node);
  double PercentOf(const Node& node) const;

  const std::string what_;
  const double threshold_;  // Percent of points.
  const double gpu_threshold_;
  const double busy_threshold_;  // Percent, of Busy().
  const int64_t patience_;
  const bool cpu_only_;
  int64_t samples_ = 0;  // With or without devices.
  bool has_gpu_ = false;
  ByName<Node> nodes_;
  std::deque<Moment> last_moments_;
  SpanLog spans_;  // To say what happened during bottlenecks.
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_BOTTLENECK_H_
