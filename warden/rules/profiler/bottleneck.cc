#include "warden/rules/profiler/bottleneck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "warden/base/json.h"
#include "warden/rules/profiler/metrics_host.h"

namespace warden::rules {
namespace {

constexpr size_t kMostMoments = 1000;
// A sample tells of the time since the one before it, but not of a time in which nothing was
// measured.
constexpr int64_t kLongestMomentUs = 60'000'000;
// With fewer points than this the last ones of the patience have to agree: one of one is 100 %.
constexpr int64_t kFewPoints = 100;

}  // namespace

void LastHundred::Add(bool bottleneck) {
  bottlenecks_ += (bottleneck ? 1 : 0) - (ring_[next_] ? 1 : 0);
  ring_[next_] = bottleneck;
  next_ = (next_ + 1) % ring_.size();
  size_ = std::min(size_ + 1, ring_.size());
}

double LastHundred::Percent() const {
  return 100 * static_cast<double>(bottlenecks_) / static_cast<double>(size_);
}

Bottleneck::Bottleneck(std::string_view rule, const Params& params,
                       std::initializer_list<std::string_view> shown, std::string_view limit,
                       std::string_view what)
    : ScanningRule(rule, params, shown),
      what_(what),
      threshold_(params.Number("threshold")),
      gpu_threshold_(params.Number("gpu_threshold")),
      busy_threshold_(params.Number(limit)),
      patience_(params.Integer("patience")),
      cpu_only_(IsCpuOnly(params)) {}

std::optional<int> Bottleneck::LowDevices(const timeline::NodeSample& sample) const {
  if (cpu_only_) {
    if (!std::isfinite(sample.training_cpu)) return std::nullopt;
    return sample.training_cpu < gpu_threshold_ ? 1 : 0;
  }
  // Without a GPU no GPU waits: a point like any other, at which there is no bottleneck.
  if (sample.gpus.empty()) return 0;
  int measured = 0;
  int low = 0;
  for (const timeline::GpuSample& gpu : sample.gpus) {
    if (!std::isfinite(gpu.utilization)) continue;
    ++measured;
    if (gpu.utilization < gpu_threshold_) ++low;
  }
  return measured > 0 ? std::optional(low) : std::nullopt;
}

void Bottleneck::See(const timeline::NodeSample& sample, const timeline::Names& names) {
  ++samples_;
  const auto low = LowDevices(sample);
  const double busy = Busy(sample);
  if (!low || !std::isfinite(busy)) return;
  has_gpu_ = has_gpu_ || !sample.gpus.empty();
  Node& node = nodes_.Of(sample.node, names);
  const bool bottleneck = *low > 0 && busy > busy_threshold_;
  node.last.Add(bottleneck);
  if (++node.seen > patience_) {
    ++node.points;
    if (*low > 0) ++node.low_gpu;
    if (bottleneck) Remember(sample, *low, &node);
  }
  node.last_us = MicrosecondsOf(sample.time_s);
}

void Bottleneck::Remember(const timeline::NodeSample& sample, int low_gpus, Node* node) {
  ++node->bottlenecks;
  const int64_t now_us = MicrosecondsOf(sample.time_s);
  if (node->last_us > 0) {
    node->moments.Add(std::max(node->last_us, now_us - kLongestMomentUs), now_us);
  }
  last_moments_.push_back({now_us, low_gpus, sample.cores});
  if (last_moments_.size() > kMostMoments) last_moments_.pop_front();
}

void Bottleneck::See(const timeline::Span& span, const timeline::Names& names) {
  spans_.Add(span, names);
}

double Bottleneck::PercentOf(const Node& node) const {
  return 100 * static_cast<double>(node.bottlenecks) / static_cast<double>(node.points);
}

Evaluation Bottleneck::EvaluateNow(int64_t /*now_us*/) {
  Evaluation evaluation;
  std::string why(samples_ == 0 ? kNoSamples
                  : cpu_only_   ? "no CPU usage of the training was recorded"
                                : "no utilization was measured");
  bool evaluated = false;
  for (const auto& [name, node] : nodes_.all()) {
    if (node.points == 0) {
      why = OnlySoMany(node.seen, patience_ + 1);
      continue;
    }
    evaluated = true;
    const double percent = PercentOf(node);
    const bool few = node.points < kFewPoints;
    if (percent <= threshold_ || (few && node.last.Percent() <= threshold_)) continue;
    evaluation.firings.push_back(
        {"",
         name,
         {percent, threshold_,
          fmt::format(
              "in {:.3g} % of {} data points, {} was above {:g} % while {} was below {:g} % "
              "(threshold {:g} %)",
              percent, node.points, what_, busy_threshold_,
              cpu_only_ ? "CPU usage of the training" : "GPU utilization", gpu_threshold_,
              threshold_)}});
  }
  if (!evaluated) evaluation.not_evaluated = why;
  return evaluation;
}

void Bottleneck::Tell(ProfilerResult* result) const {
  Json nodes = Json::object();
  int64_t points = 0;
  int64_t low_gpu = 0;
  for (const auto& [name, node] : nodes_.all()) {
    result->datapoints += node.seen;
    result->violations += node.bottlenecks;
    points += node.points;
    low_gpu += node.low_gpu;
    nodes[name] = {
        {"points", node.points}, {"bottlenecks", node.bottlenecks}, {"low_gpu", node.low_gpu}};
  }
  std::map<int64_t, Json> moments;  // Nodes may have one at the same time.
  for (const Moment& moment : last_moments_) {
    Json& told = moments.try_emplace(moment.time_us, Json::object()).first->second;
    told["GPUs"] = told.value("GPUs", 0) + moment.gpus;
    told["CPUs"] = told.value("CPUs", 0) + moment.cpus;
  }
  Json details = Json::object();
  details["low_gpu_utilization"] = low_gpu;
  details["bottlenecks"] = Json::object();
  for (const auto& [time_us, told] : moments)
    details["bottlenecks"][std::to_string(time_us)] = told;
  details["points"] = points;
  details["bottleneck_points"] = result->violations;
  details["nodes"] = nodes;
  details["gpus"] = has_gpu_;
  spans_.AppendBreakdown(
      [&](const std::string& span_node) -> const Intervals* {
        const auto host = FindHost(nodes_.all(), span_node);
        return host == nodes_.all().end() ? nullptr : &host->second.moments;
      },
      &details);
  result->details = std::make_shared<const Json>(std::move(details));
}

}  // namespace warden::rules
