#include <fmt/format.h>

#include <array>
#include <map>

#include "warden/base/json.h"
#include "warden/rules/profiler/by_name.h"
#include "warden/rules/profiler/profiler_rules.h"
#include "warden/rules/profiler/scanning_rule.h"
#include "warden/rules/profiler/span_log.h"
#include "warden/rules/profiler/step_series.h"

namespace warden::rules {
namespace {

constexpr size_t kMostTold = 100;
constexpr size_t kMostNumbers = 1000;
constexpr size_t kMostPoints = 600;

class SlowSteps : public ScanningRule {
 public:
  explicit SlowSteps(const Params& params)
      : ScanningRule("StepOutlier", params, {}),
        factor_(params.Number("stddev")),
        most_(params.Integer("n_outliers")),
        mode_(params.OnlyMode("mode")) {
    // The first is how the original calls stddev, too.
    SetParameters(
        fmt::format("threshold:{0}\nmode:{1}\nn_outliers:{2}\nstddev:{0}", params.Text("stddev"),
                    params.Has("mode") ? params.Text("mode") : "None", params.Text("n_outliers")));
    if (mode_ == Mode::kGlobal) mode_ = Mode::kTrain;  // As the steps are.
  }

  using ProfilerRule::See;
  void See(const timeline::Span& span, const timeline::Names& names) override {
    spans_.Add(span, names);
    if (!IsUsable(span)) return;
    if (const auto mode = StepModeOf(names.Text(span.phase))) {
      if (IsWanted(*mode)) Add(span, names, *mode, span.step, &nodes_);
      return;
    }
    const auto step = AnnotatedStepOf(names.Text(span.phase), names.Text(span.name));
    if (step && IsWanted(Mode::kTrain)) {
      Add(span, names, Mode::kTrain, *step < 0 ? span.step : *step, &annotated_);
    }
  }

 protected:
  Evaluation EvaluateNow(int64_t /*now_us*/) override {
    Evaluation evaluation;
    if (steps().empty()) {
      evaluation.not_evaluated = mode_ ? fmt::format("no steps in mode {}", ModeName(*mode_))
                                       : "no steps in mode TRAIN or EVAL";
    }
    for (auto& [node, modes] : steps().all()) {
      for (const Mode mode : kAllModes) {
        StepSeries& series = modes[ModeIndex(mode)];
        const int64_t outliers = series.CountOutliers(factor_);
        if (outliers > most_) Fire(node, mode, series, outliers, &evaluation);
      }
    }
    return evaluation;
  }

  void Tell(ProfilerResult* result) const override {
    Json details = Json::object();
    Json& nodes = details["step_details"] = Json::object();
    std::map<std::string, Intervals, std::less<>> slow;
    for (const auto& [node, modes] : steps().all()) {
      for (const Mode mode : kAllModes) {
        const StepSeries& series = modes[ModeIndex(mode)];
        if (series.empty()) continue;
        const auto outliers = series.Outliers(factor_);
        for (const TimedStep& step : outliers) {
          slow[node].Add(step.start_us, step.start_us + step.duration_us);
        }
        result->violations += std::ssize(outliers);
        result->datapoints += series.count();
        const bool first = !nodes.contains(node);
        nodes[first ? node : fmt::format("{} {}", node, ModeName(mode))] =
            DetailsOf(mode, series, outliers);
      }
    }
    spans_.AppendBreakdown(
        [&](const std::string& node) -> const Intervals* {
          const auto found = slow.find(node);
          return found == slow.end() ? nullptr : &found->second;
        },
        &details);
    result->details = std::make_shared<const Json>(std::move(details));
  }

 private:
  using ByMode = std::array<StepSeries, kAllModes.size()>;

  static void Add(const timeline::Span& span, const timeline::Names& names, Mode mode, int64_t step,
                  ByName<ByMode>* nodes) {
    nodes->Of(span.node, names)[ModeIndex(mode)].Add({step, span.start_us, span.duration_us});
  }

  // Those that hooks have recorded; without any, those that the script has annotated.
  ByName<ByMode>& steps() { return nodes_.empty() ? annotated_ : nodes_; }
  const ByName<ByMode>& steps() const { return nodes_.empty() ? annotated_ : nodes_; }

  bool IsWanted(Mode mode) const {
    return mode_ ? mode == *mode_ : mode == Mode::kTrain || mode == Mode::kEval;
  }

  void Fire(const std::string& node, Mode mode, const StepSeries& steps, int64_t outliers,
            Evaluation* evaluation) const {
    evaluation->firings.push_back(
        {fmt::format("{} steps", ModeName(mode)),
         node,
         {static_cast<double>(outliers), static_cast<double>(most_),
          fmt::format("{} of {} took longer than {:.3g} s (mean {:.3g} s plus {:g} standard "
                      "deviations of {:.3g} s), expected at most {}",
                      outliers, steps.count(), steps.mean() + factor_ * steps.Deviation(),
                      steps.mean(), factor_, steps.Deviation(), most_)}});
  }

  Json DetailsOf(Mode mode, const StepSeries& steps, const std::vector<TimedStep>& outliers) const {
    const Distribution& seconds = steps.seconds();
    const Histogram histogram = HistogramOf(seconds, kHistogramBins);
    Json details = Json::object();
    details["step_stats"] = {
        {"mean", Rounded(steps.mean())},          {"max", Rounded(seconds.max())},
        {"p99", Rounded(seconds.Quantile(0.99))}, {"p95", Rounded(seconds.Quantile(0.95))},
        {"p50", Rounded(seconds.Quantile(0.5))},  {"min", Rounded(seconds.min())}};
    details["number_of_outliers"] = outliers.size();
    details["phase"] = fmt::format("Step:ModeKeys.{}", ModeName(mode));
    details["stddev"] = Rounded(steps.Deviation());
    details["probs"] = histogram.shares;
    details["binedges"] = histogram.edges;
    Json& numbers = details["step_numbers"] = Json::array();
    Json& told = details["outliers"] = Json::array();
    for (size_t i = 0; i < outliers.size(); ++i) {
      const TimedStep& step = outliers[i];
      if (i + kMostNumbers >= outliers.size()) numbers.push_back(step.step);
      if (i + kMostTold < outliers.size()) continue;
      told.push_back({step.step, step.start_us, Rounded(step.seconds())});
    }
    Json& series = details["series"] = Json::array();
    for (const TimedStep& step : steps.Longest(kMostPoints)) {
      series.push_back({step.start_us, Rounded(step.seconds())});
    }
    return details;
  }

  const double factor_;
  const int64_t most_;
  std::optional<Mode> mode_;
  ByName<ByMode> nodes_;
  ByName<ByMode> annotated_;  // Steps that the script has annotated.
  SpanLog spans_;
};

}  // namespace

RuleEntry StepOutlier() {
  static constexpr Param kParams[] = {
      {"stddev", ParamType::kNumber, "3",
       "A step is an outlier if it is this many standard deviations above the mean (SageMaker's "
       "SDK sends 3, its guide says 5)",
       0},
      {"mode", ParamType::kMode, "", "Mode of the steps to check (default: TRAIN and EVAL)"},
      {"n_outliers", ParamType::kInteger, "10", "Maximum number of outliers", 0},
      kScanInterval};
  static constexpr RuleSpec kSpec{
      "StepOutlier",
      "Some steps take much longer than the others.",
      "Check what happens during these steps: late batches, checkpoints, evaluation, garbage "
      "collection, or other jobs on the machine. If every nth step is slow, look for work done "
      "every nth step.",
      kParams,
      {},
      RuleKind::kProfiler,
      Severity::kWarning};
  return {&kSpec, Make<SlowSteps>};
}

}  // namespace warden::rules
