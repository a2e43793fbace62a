#ifndef WARDEN_RULES_PROFILER_PROFILER_RULE_H_
#define WARDEN_RULES_PROFILER_PROFILER_RULE_H_

#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/rules/rule.h"
#include "warden/timeline/names.h"
#include "warden/timeline/node_sample.h"
#include "warden/timeline/span.h"

namespace warden::rules {

// What a profiler rule has seen, as reports tell it: profiler-reports/<Rule>.json.
struct ProfilerResult {
  std::string rule;        // "LowGPUUtilization".
  int64_t triggered = 0;   // In how many intervals of scan_interval_us it held.
  int64_t violations = 0;  // As the rule counts them: points, steps, devices.
  int64_t datapoints = 0;  // That it looked at, those of its patience included.
  std::string parameters;  // "threshold_p95:70\nthreshold_p5:10", in the original's order.
  std::string not_judged;  // Why it did not judge; empty if it did.
  std::shared_ptr<const Json> details;
};

// {"RuleTriggered", "Violations", "Details", "Datapoints", "RuleParameters"}.
Json ToJson(const ProfilerResult& result);

// Looks at what the machine and the timeline did. Told of everything in the order of time, as far
// as that is known, and asked now and then (about every second of the run) to judge all of it.
class ProfilerRule : public Rule {
 public:
  std::vector<Selector> inputs() const final { return {}; }
  Status Judge(const StepView& /*step*/, Verdicts* /*verdicts*/) final { return Status(); }
  ProfilerRule* AsProfilerRule() final { return this; }

  virtual void See(const timeline::NodeSample& /*sample*/, const timeline::Names& /*names*/) {}
  virtual void See(const timeline::Span& /*span*/, const timeline::Names& /*names*/) {}

  // Judges what it has seen so far: what is wrong by FireRun(device, node, evidence), or
  // HealthyRun(), or TooLittle(). now_us: how far the run has come, since 1970.
  virtual void JudgeSoFar(int64_t now_us, Verdicts* verdicts) = 0;

  // One for most rules; ProfilerReport has one for each rule that it runs.
  virtual std::vector<ProfilerResult> Results() const = 0;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_PROFILER_RULE_H_
