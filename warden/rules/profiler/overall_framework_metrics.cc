#include <algorithm>

#include "warden/base/json.h"
#include "warden/rules/profiler/by_name.h"
#include "warden/rules/profiler/framework_breakdown.h"
#include "warden/rules/profiler/own_names.h"
#include "warden/rules/profiler/profiler_rules.h"
#include "warden/rules/profiler/scanning_rule.h"

namespace warden::rules {
namespace {

class WhereTimeGoes : public ScanningRule {
 public:
  explicit WhereTimeGoes(const Params& params)
      : ScanningRule("OverallFrameworkMetrics", params, {}) {}

  using ProfilerRule::See;
  void See(const timeline::Span& span, const timeline::Names& names) override {
    if (!IsUsable(span)) return;
    ++spans_;
    timeline::Span own = span;
    own.name = names_.Of(span.name, names);
    own.phase = names_.Of(span.phase, names);
    own.node = names_.Of(span.node, names);
    breakdown_.Add(own, names_.names(), static_cast<double>(span.duration_us));
    if (!StepModeOf(names.Text(span.phase))) return;
    int64_t& covered_us = covered_us_.Of(span.node, names);  // The end of the steps so far.
    if (covered_us > 0 && span.start_us > covered_us) {
      breakdown_.AddBetweenSteps(static_cast<double>(span.start_us - covered_us));
    }
    covered_us = std::max(covered_us, span.end_us());
  }

 protected:
  Evaluation EvaluateNow(int64_t /*now_us*/) override {
    return {{}, spans_ == 0 ? "no framework timeline was saved; add --profile timeline" : ""};
  }

  void Tell(ProfilerResult* result) const override {
    Json details = Json::object();
    breakdown_.AppendTo(names_.names(), &details);
    result->datapoints = spans_;
    result->details = std::make_shared<const Json>(std::move(details));
  }

 private:
  OwnNames names_;
  FrameworkBreakdown breakdown_;
  ByName<int64_t> covered_us_;
  int64_t spans_ = 0;
};

}  // namespace

RuleEntry OverallFrameworkMetrics() {
  static constexpr Param kParams[] = {kScanInterval};
  static constexpr RuleSpec kSpec{
      "OverallFrameworkMetrics",
      "Reports the time spent in steps, phases and operators; never fires.",
      "Start with what takes longest, and with the time between steps.",
      kParams,
      {},
      RuleKind::kProfiler,
      Severity::kWarning};
  return {&kSpec, Make<WhereTimeGoes>};
}

}  // namespace warden::rules
