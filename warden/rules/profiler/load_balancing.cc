#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

#include "warden/base/json.h"
#include "warden/rules/profiler/by_name.h"
#include "warden/rules/profiler/profiler_rules.h"
#include "warden/rules/profiler/scanning_rule.h"
#include "warden/rules/profiler/value_distribution.h"

namespace warden::rules {
namespace {

constexpr size_t kLoadBins = 10;
// Fewer points than this are too few for the shares of ten bins: the last ones of the patience then
// have to agree.
constexpr size_t kRecentPoints = 100;

using Counts = std::array<int64_t, kLoadBins>;

size_t BinOf(double percent) {
  const double bin = std::floor(percent / (100.0 / kLoadBins));
  return static_cast<size_t>(std::min(std::max(bin, 0.0), static_cast<double>(kLoadBins - 1)));
}

// How often a GPU was used how much.
struct Workload {
  int64_t seen = 0;
  Counts counted = {};        // After the patience.
  Counts last = {};           // Of the last kRecentPoints points, ...
  std::vector<uint8_t> ring;  // ... which are these, by bin.
  size_t oldest = 0;

  void Add(double percent, int64_t patience) {
    if (!std::isfinite(percent)) return;
    const size_t bin = BinOf(percent);
    if (++seen > patience) ++counted[bin];
    ++last[bin];
    if (ring.size() < kRecentPoints) {
      ring.push_back(static_cast<uint8_t>(bin));
      return;
    }
    --last[ring[oldest]];
    ring[oldest] = static_cast<uint8_t>(bin);
    oldest = (oldest + 1) % kRecentPoints;
  }
};

std::array<double, kLoadBins> SharesOf(const Counts& counts) {
  int64_t total = 0;
  for (const int64_t count : counts) total += count;
  std::array<double, kLoadBins> shares = {};
  for (size_t i = 0; i < kLoadBins && total > 0; ++i) {
    shares[i] = static_cast<double>(counts[i]) / static_cast<double>(total);
  }
  return shares;
}

// From 0, the same shares, to 1, no bin in common.
double Distance(const Counts& a, const Counts& b) {
  const auto shares_a = SharesOf(a);
  const auto shares_b = SharesOf(b);
  double sum = 0;
  for (size_t i = 0; i < kLoadBins; ++i) sum += std::abs(shares_a[i] - shares_b[i]);
  return sum / 2;
}

struct BalanceNode {
  ByName<Workload> gpus;
  int64_t points = 0;
  int64_t evaluated = 0;
};

class UnevenLoad : public ScanningRule {
 public:
  explicit UnevenLoad(const Params& params)
      : ScanningRule("LoadBalancing", params, {"threshold", "patience"}),
        threshold_(params.Number("threshold")),
        patience_(params.Integer("patience")) {}

  using ProfilerRule::See;
  void See(const timeline::NodeSample& sample, const timeline::Names& names) override {
    ++samples_;
    if (sample.gpus.empty()) return;
    BalanceNode& node = nodes_.Of(sample.node, names);
    ++node.points;
    for (const timeline::GpuSample& gpu : sample.gpus) {
      node.gpus.Of(gpu.name, names).Add(gpu.utilization, patience_);
    }
  }

 protected:
  Evaluation EvaluateNow(int64_t /*now_us*/) override {
    Evaluation evaluation;
    std::string why(samples_ == 0 ? kNoSamples : kNoGpu);
    bool evaluated = false;
    for (auto& [name, node] : nodes_.all()) {
      if (node.gpus.all().size() < 2) {
        why = kOneGpu;
        continue;
      }
      const Widest widest = WidestOf(node);
      if (widest.pairs == 0) {
        why = OnlySoMany(LeastSeen(node), patience_ + 1);
        continue;
      }
      evaluated = true;
      EvaluateNode(name, widest, &node, &evaluation);
    }
    if (!evaluated) evaluation.not_evaluated = why;
    return evaluation;
  }

  void Tell(ProfilerResult* result) const override {
    Json details = Json::object();
    for (const auto& [name, node] : nodes_.all()) {
      Json workloads = Json::object();
      Json distances = Json::object();
      for (const auto& [gpu, workload] : node.gpus.all()) {
        Json& shares = workloads[gpu] = Json::array();
        for (const double share : SharesOf(workload.counted)) shares.push_back(Rounded(share));
      }
      ForEachPair(node, [&](const std::string& a, const std::string& b, double distance, bool) {
        distances[a][b] = Rounded(distance);
      });
      result->datapoints += node.points;
      details[name] = {{"workloads", workloads}, {"distances", distances}};
    }
    result->violations = violations_;
    result->details = std::make_shared<const Json>(std::move(details));
  }

 private:
  struct Widest {
    int64_t pairs = 0;
    int64_t too_wide = 0;
    double distance = -1;
    std::string a;
    std::string b;
  };

  // Each pair that has points after the patience, with its distance and whether it is too wide.
  template <class F>
  void ForEachPair(const BalanceNode& node, F visit) const {
    const auto& gpus = node.gpus.all();
    for (auto a = gpus.begin(); a != gpus.end(); ++a) {
      for (auto b = std::next(a); b != gpus.end(); ++b) {
        const int64_t least = std::min(a->second.seen, b->second.seen) - patience_;
        if (least <= 0) continue;
        const double distance = Distance(a->second.counted, b->second.counted);
        const bool few = least < static_cast<int64_t>(kRecentPoints);
        const bool wide = distance > threshold_ &&
                          (!few || Distance(a->second.last, b->second.last) > threshold_);
        visit(a->first, b->first, distance, wide);
      }
    }
  }

  Widest WidestOf(const BalanceNode& node) const {
    Widest widest;
    ForEachPair(node, [&](const std::string& a, const std::string& b, double distance, bool wide) {
      ++widest.pairs;
      if (wide) ++widest.too_wide;
      if (wide && distance > widest.distance) {
        widest.distance = distance;
        widest.a = a;
        widest.b = b;
      }
    });
    return widest;
  }

  static int64_t LeastSeen(const BalanceNode& node) {
    int64_t least = INT64_MAX;
    for (const auto& [name, workload] : node.gpus.all()) least = std::min(least, workload.seen);
    return least;
  }

  void EvaluateNode(const std::string& name, const Widest& widest, BalanceNode* node,
                    Evaluation* evaluation) {
    const int64_t fresh = node->points - std::max(node->evaluated, patience_);
    node->evaluated = node->points;
    if (widest.too_wide == 0) return;
    violations_ += fresh;
    evaluation->firings.push_back(
        {"",
         name,
         {widest.distance, threshold_,
          fmt::format("utilization of {} and {} differs by {:.3g} on a scale from 0 to 1 "
                      "(threshold {:g}, exceeded by {} of {} GPU pairs)",
                      widest.a, widest.b, widest.distance, threshold_, widest.too_wide,
                      widest.pairs)}});
  }

  const double threshold_;
  const int64_t patience_;
  int64_t samples_ = 0;
  int64_t violations_ = 0;
  ByName<BalanceNode> nodes_;
};

}  // namespace

RuleEntry LoadBalancing() {
  static constexpr Param kParams[] = {
      {"threshold", ParamType::kNumber, "0.5",
       "Maximum distance between the utilization histograms of two GPUs, from 0 to 1", 0, 1},
      PatienceParam("1000",
                    "Number of data points to ignore at the start of each series (SageMaker's SDK "
                    "sends 1000, its guide says 10)"),
      kScanInterval};
  static constexpr RuleSpec kSpec{
      "LoadBalancing",
      "The GPUs of a node have different workloads.",
      "Use DistributedDataParallel instead of DataParallel, evenly divisible batches, and pipeline "
      "stages of equal cost. Distribute work that only one process does, such as logging and "
      "evaluation.",
      kParams,
      {},
      RuleKind::kProfiler,
      Severity::kWarning};
  return {&kSpec, Make<UnevenLoad>};
}

}  // namespace warden::rules
