#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json.h"
#include "warden/rules/profiler/profiler_rules.h"
#include "warden/rules/profiler/scanning_rule.h"
#include "warden/rules/profiler/span_kind.h"

namespace warden::rules {
namespace {

class SlowStart : public ScanningRule {
 public:
  explicit SlowStart(const Params& params)
      : ScanningRule("MaxInitializationTime", params, {"threshold"}),
        threshold_min_(params.Number("threshold")) {}

  void See(const timeline::NodeSample& sample, const timeline::Names& /*names*/) override {
    const int64_t at_us = MicrosecondsOf(sample.time_s);
    if (at_us <= 0) return;
    ++seen_;
    Extend(at_us, at_us);
  }

  void See(const timeline::Span& span, const timeline::Names& names) override {
    if (!IsUsable(span) || span.start_us == 0) return;
    Extend(span.start_us, span.end_us());
    if (!StepModeOf(names.Text(span.phase))) return;
    ++seen_;
    first_step_us_ = std::min(first_step_us_, span.start_us);
    last_step_us_ = std::max(last_step_us_, span.end_us());
  }

 protected:
  Evaluation EvaluateNow(int64_t now_us) override {
    Evaluation evaluation;
    if (start_us_ > end_us_) {
      evaluation.not_evaluated =
          "no system metrics and no steps were recorded; add --profile timeline";
      return evaluation;
    }
    if (told_first_step_) return evaluation;  // All has been said.
    const bool stepped = HasSteps();
    const int64_t until_us = stepped ? first_step_us_ : std::max(now_us, end_us_);
    const double minutes = static_cast<double>(until_us - start_us_) / 6e7;
    if (minutes > threshold_min_) {
      late_ = true;
      evaluation.firings.push_back({"", "", {minutes, threshold_min_, What(stepped, minutes)}});
    } else if (!stepped) {
      evaluation.not_evaluated = "no step has started yet";
    }
    told_first_step_ = stepped;
    return evaluation;
  }

  void Tell(ProfilerResult* result) const override {
    Json steps = Json::object();
    if (HasSteps()) {
      steps["first"] = first_step_us_;
      steps["last"] = last_step_us_;
    }
    Json details = Json::object();
    details["step_num"] = std::move(steps);
    const bool any = start_us_ <= end_us_;
    details["job_start"] = any ? Json(static_cast<double>(start_us_) / 1e6) : Json();
    details["job_end"] = any ? Json(static_cast<double>(end_us_) / 1e6) : Json();
    result->violations = late_ ? 1 : 0;
    result->datapoints = seen_;
    result->details = std::make_shared<const Json>(std::move(details));
  }

 private:
  bool HasSteps() const { return first_step_us_ <= last_step_us_; }

  void Extend(int64_t start_us, int64_t end_us) {
    start_us_ = std::min(start_us_, start_us);
    end_us_ = std::max(end_us_, end_us);
  }

  std::string What(bool stepped, double minutes) const {
    if (!stepped) {
      return fmt::format("no step has started for {:.3g} min (limit {:g} min)", minutes,
                         threshold_min_);
    }
    return fmt::format("first step started {:.3g} min after the start of the run (limit {:g} min)",
                       minutes, threshold_min_);
  }

  const double threshold_min_;
  int64_t seen_ = 0;
  int64_t start_us_ = INT64_MAX;  // Of all that is known, ...
  int64_t end_us_ = INT64_MIN;
  int64_t first_step_us_ = INT64_MAX;  // ... and of the steps.
  int64_t last_step_us_ = INT64_MIN;
  bool told_first_step_ = false;
  bool late_ = false;
};

}  // namespace

RuleEntry MaxInitializationTime() {
  static constexpr Param kParams[] = {
      {"threshold", ParamType::kNumber, "20", "Maximum time until the first step, in minutes", 0},
      kScanInterval};
  static constexpr RuleSpec kSpec{
      "MaxInitializationTime",
      "The first step starts too late.",
      "Stream the data or load it in parallel instead of copying all of it first. Cache "
      "preprocessed data and compiled code. Install packages in the image.",
      kParams,
      {},
      RuleKind::kProfiler,
      Severity::kWarning};
  return {&kSpec, Make<SlowStart>};
}

}  // namespace warden::rules
