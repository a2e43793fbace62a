#include <fmt/format.h>

#include <unordered_map>

#include "warden/base/json.h"
#include "warden/rules/profiler/by_name.h"
#include "warden/rules/profiler/loader_seconds.h"
#include "warden/rules/profiler/metrics_host.h"
#include "warden/rules/profiler/profiler_rules.h"
#include "warden/rules/profiler/scanning_rule.h"
#include "warden/rules/profiler/span_kind.h"
#include "warden/rules/profiler/value_distribution.h"

namespace warden::rules {
namespace {

constexpr int64_t kLeastSeconds = 11;

struct Host {
  LoaderSeconds loading;
  int64_t evaluated_seconds = 0;
  bool fires = false;
};

class Workers : public ScanningRule {
 public:
  explicit Workers(const Params& params)
      : ScanningRule("Dataloader", params, {"min_threshold", "max_threshold"}),
        min_percent_(params.Number("min_threshold")),
        max_percent_(params.Number("max_threshold")) {}

  void See(const timeline::NodeSample& sample, const timeline::Names& names) override {
    int& cores = cores_.Of(sample.node, names);
    cores = std::max(cores, sample.cores);
  }

  void See(const timeline::Span& span, const timeline::Names& names) override {
    const std::string& phase = names.Text(span.phase);
    if (!phase.starts_with("DataLoader") || !IsUsable(span)) return;
    if (span.pinned >= 0) pinned_ = span.pinned;
    num_workers_ = std::max(num_workers_, span.num_workers);
    if (!IsDataLoading(phase)) return;
    const auto seconds = static_cast<double>(span.duration_us) / 1e6;
    (phase == "DataLoaderIter" ? waiting_s_ : loading_s_).Add(seconds);
    HostOfNode(span.node, names).loading.Add(span);
  }

 protected:
  Evaluation EvaluateNow(int64_t /*now_us*/) override {
    Evaluation evaluation;
    std::string why = "no data loader found in the timeline";
    bool evaluated = false;
    for (auto& [name, host] : hosts_) {
      const int64_t seconds = host.loading.seconds();
      const auto [machine, cores] = MachineOf(name);
      if (seconds < kLeastSeconds) {
        why = OnlySoMany(seconds, kLeastSeconds, "seconds of data loading");
      } else if (cores == 0) {
        why =
            "the number of CPU cores is unknown: no system metrics were saved; add --profile "
            "system";
      } else {
        evaluated = true;
        EvaluateHost(machine, seconds, cores, &host, &evaluation);
      }
    }
    if (!evaluated) evaluation.not_evaluated = why;
    return evaluation;
  }

  void Tell(ProfilerResult* result) const override {
    Json details = Json::object();
    details["pin_memory"] = pinned_ < 0 ? Json() : Json(pinned_ > 0);
    details["num_workers"] = num_workers_ < 0 ? Json() : Json(num_workers_);
    details["prefetch"] = nullptr;  // No span says.
    for (const auto& [name, host] : hosts_) result->datapoints += host.loading.seconds();
    const auto shown = Shown();
    const int64_t seconds = shown == hosts_.end() ? 0 : shown->second.loading.seconds();
    details["cores"] = shown == hosts_.end() ? 0 : MachineOf(shown->first).second;
    details["dataloaders"] = seconds == 0 ? Json(0) : Rounded(shown->second.loading.Median());
    details["seconds"] = seconds;
    details["dataloading_time"] = TimesOf(waiting_s_.empty() ? loading_s_ : waiting_s_);
    result->violations = violations_;
    result->details = std::make_shared<const Json>(std::move(details));
  }

 private:
  using Hosts = std::map<std::string, Host, ShorterFirst>;

  Host& HostOfNode(timeline::NameId node, const timeline::Names& names) {
    const auto found = by_node_.find(node);
    if (found != by_node_.end()) return *found->second;
    Host& host = hosts_[std::string(HostOf(names.Text(node)))];
    by_node_.emplace(node, &host);
    return host;
  }

  // As the metrics call it, and with 0 cores if they do not.
  std::pair<std::string, int> MachineOf(const std::string& host) const {
    const auto machine = FindHost(cores_.all(), host);
    if (machine == cores_.all().end()) return {host, 0};
    return *machine;
  }

  void EvaluateHost(const std::string& name, int64_t seconds, int cores, Host* host,
                    Evaluation* evaluation) {
    const double loaders = host->loading.Median();
    const double least = cores * min_percent_ / 100;
    const double most = cores * max_percent_ / 100;
    const bool few = loaders < least;
    host->fires = few || loaders > most;
    const int64_t fresh = seconds - std::exchange(host->evaluated_seconds, seconds);
    if (!host->fires) return;
    violations_ += std::max<int64_t>(fresh, 0);
    evaluation->firings.push_back(
        {"",
         name,
         {loaders, few ? least : most,
          fmt::format("{:g} data loader {} active at a time (median over {} s), {} {:g}, which is "
                      "{:g} % of {} cores",
                      loaders, loaders == 1 ? "worker was" : "workers were", seconds,
                      few ? "below" : "above", few ? least : most,
                      few ? min_percent_ : max_percent_, cores)}});
  }

  // The first that is not as it should be, else the first.
  Hosts::const_iterator Shown() const {
    const auto found = std::find_if(hosts_.begin(), hosts_.end(),
                                    [](const auto& host) { return host.second.fires; });
    return found == hosts_.end() ? hosts_.begin() : found;
  }

  static Json TimesOf(const Distribution& seconds) {
    Json json = Json::object();
    if (seconds.empty()) return json;
    const Histogram histogram = HistogramOf(seconds, kHistogramBins);
    json["p25"] = Rounded(seconds.Quantile(0.25));
    json["p50"] = Rounded(seconds.Quantile(0.5));
    json["p95"] = Rounded(seconds.Quantile(0.95));
    json["probs"] = histogram.shares;
    json["binedges"] = histogram.edges;
    return json;
  }

  const double min_percent_;
  const double max_percent_;
  int pinned_ = -1;
  int32_t num_workers_ = -1;
  int64_t violations_ = 0;
  ByName<int> cores_;
  Hosts hosts_;
  std::unordered_map<timeline::NameId, Host*> by_node_;  // By the span's node.
  Distribution waiting_s_;                               // Of the training for a batch.
  Distribution loading_s_;                               // Of a worker.
};

Result<std::unique_ptr<Rule>> MakeWorkers(const Params& params) {
  if (params.Number("min_threshold") > params.Number("max_threshold")) {
    return params.Refuse(fmt::format("min_threshold is {}; expected at most max_threshold ({})",
                                     params.Text("min_threshold"), params.Text("max_threshold")));
  }
  return Make<Workers>(params);
}

}  // namespace

RuleEntry Dataloader() {
  static constexpr Param kParams[] = {{"min_threshold", ParamType::kNumber, "70",
                                       "Minimum number of workers, in percent of the CPU cores", 0},
                                      {"max_threshold", ParamType::kNumber, "200",
                                       "Maximum number of workers, in percent of the CPU cores", 0},
                                      kScanInterval};
  static constexpr RuleSpec kSpec{
      "Dataloader",
      "There are too few or too many data loader workers for the CPU cores.",
      "Set num_workers so that the total over all processes of a machine is close to its number of "
      "cores. Fewer are enough if steps never wait for a batch.",
      kParams,
      {},
      RuleKind::kProfiler,
      Severity::kWarning};
  return {&kSpec, MakeWorkers};
}

}  // namespace warden::rules
