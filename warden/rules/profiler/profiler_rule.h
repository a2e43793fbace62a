#ifndef WARDEN_RULES_PROFILER_PROFILER_RULE_H_
#define WARDEN_RULES_PROFILER_PROFILER_RULE_H_

// The interface of rules that check system metrics and the timeline instead of tensors, and what
// they contribute to the profiling report. ScanningRule implements most of it; the engine's
// ProfileStream feeds the rules.

#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/rules/rule.h"
#include "warden/timeline/names.h"
#include "warden/timeline/node_sample.h"
#include "warden/timeline/span.h"

namespace warden::rules {

// What a profiler rule has seen, as reports show it: profiler-reports/<Rule>.json. A value that
// does not refer to the rule.
struct ProfilerResult {
  std::string rule;           // "LowGPUUtilization".
  int64_t triggered = 0;      // In how many intervals of scan_interval_us it fired.
  int64_t violations = 0;     // As the rule counts them: points, steps, devices.
  int64_t datapoints = 0;     // That it looked at, those of its patience included.
  std::string parameters;     // "threshold_p95:70\nthreshold_p5:10", in the original's order.
  std::string not_evaluated;  // Why it has no result; empty if it has one.
  std::shared_ptr<const Json> details;  // An object in the original's format; null: none.
  std::string note = {};                // A sentence on how it was evaluated, if that was unusual.
};

// {"RuleTriggered", "Violations", "Details", "Datapoints", "RuleParameters"}: the original's keys.
Json ToJson(const ProfilerResult& result);

// Checks what the machines and the timeline did. Sees everything once, in the order of time as far
// as that is known, and is evaluated about once per second of the run's own time. Keeps what it
// needs in bounded memory. For one thread, as Rule.
//
//   using ProfilerRule::See;  // Where only one of the two is overridden.
//   void See(const timeline::NodeSample& sample, const timeline::Names& names) override;
class ProfilerRule : public Rule {
 public:
  // A profiler rule has no tensors: the engine never calls Evaluate().
  std::vector<Selector> inputs() const final { return {}; }
  Status Evaluate(const StepView& /*step*/, Verdicts* /*verdicts*/) final { return Status(); }
  ProfilerRule* AsProfilerRule() final { return this; }

  // One sample or span. Arguments are valid during the call; ids in them are of `names`, which is
  // the same object in all calls. Files may contain anything: see IsUsable for times. Not every
  // rule needs both.
  virtual void See(const timeline::NodeSample& /*sample*/, const timeline::Names& /*names*/) {}
  virtual void See(const timeline::Span& /*span*/, const timeline::Names& /*names*/) {}

  // Evaluates what it has seen so far: reports what is wrong with FireRun(device, node, evidence),
  // then calls HealthyRun(), or calls TooLittle(). now_us: how far the run has come, since 1970.
  virtual void EvaluateSoFar(int64_t now_us, Verdicts* verdicts) = 0;
  // The same after the last data of the run.
  virtual void EvaluateAtEnd(int64_t now_us, Verdicts* verdicts) {
    EvaluateSoFar(now_us, verdicts);
  }
  // Checked after each evaluation. An error stops this rule and becomes its status kError.
  virtual Status status() const { return Status(); }

  // What it contributes to the report: one result for most rules; ProfilerReport has one for each
  // rule that it runs. May take long: reports call it, not every evaluation.
  virtual std::vector<ProfilerResult> Results() const = 0;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_PROFILER_RULE_H_
