#ifndef WARDEN_RULES_PROFILER_SCANNING_RULE_H_
#define WARDEN_RULES_PROFILER_SCANNING_RULE_H_

// The base of the built-in profiler rules, and parameters that several of them have. A rule
// overrides See(), EvaluateNow() and Tell(), and declares its parameters in a RuleSpec:
//
//   class LowUse : public ScanningRule {
//     // What is wrong now, or why that is not known.
//     Evaluation EvaluateNow(int64_t now_us) override;
//     void Tell(ProfilerResult* result) const override;  // For the report.
//   };

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "warden/rules/profiler/profiler_rule.h"

namespace warden::rules {

// Parameters that several rules have. Every ScanningRule declares kScanInterval.
inline constexpr Param kScanInterval = {
    "scan_interval_us", ParamType::kInteger, "60000000",
    "Length of an interval in which the rule counts as triggered at most once, in microseconds", 1};
inline constexpr Param kGpu = {
    "gpu", ParamType::kText, "",
    "Set to none for training on the CPU: the CPU usage of its processes is checked instead of the "
    "GPU"};

// Makers of parameters: a percentage, 0 to 100; the points to ignore at first; and how many recent
// points to look at. Arguments are not copied: literals.
constexpr Param PercentParam(std::string_view name, std::string_view default_text,
                             std::string_view doc) {
  return {name, ParamType::kNumber, default_text, doc, 0, 100};
}
constexpr Param PatienceParam(
    std::string_view default_text,
    std::string_view doc = "Number of data points to ignore at the start of each series") {
  return {"patience", ParamType::kInteger, default_text, doc, 0};
}
// The whole window is looked at in each evaluation, so its length is limited.
constexpr Param WindowParam(std::string_view default_text,
                            std::string_view doc = "Number of recent data points to check") {
  return {"window", ParamType::kInteger, default_text, doc, 1, 1e5};
}
// Defaults are those that SageMaker's SDK sends. Where its guide has another one, the doc of the
// parameter ends in it.
inline constexpr std::string_view kPatienceOf100 =
    "Number of data points to ignore at the start of each series (SageMaker's SDK sends 1000, its "
    "guide says 100)";

// kInvalid if the parameter `gpu` is set to anything but none.
Status CheckGpu(const Params& params);
// Whether the training runs on the CPU: gpu=none. REQUIRES: CheckGpu was ok.
inline bool IsCpuOnly(const Params& params) { return params.Has("gpu"); }

// MakeRule for rules that have kGpu, and whose other parameters cannot contradict each other.
template <class R>
Result<std::unique_ptr<Rule>> MakeWithGpu(const Params& params) {
  if (Status status = CheckGpu(params); !status.ok()) return status;
  return Make<R>(params);
}

// Seconds as whole microseconds; 0 for what is not finite or too large to be a time.
int64_t MicrosecondsOf(double seconds);

// Reasons for Evaluation::not_evaluated.
inline constexpr std::string_view kNoGpu = "no GPU found on this node";
inline constexpr std::string_view kOneGpu = "needs 2 GPUs on a node, found 1";
inline constexpr std::string_view kNoSamples = "no system metrics were saved; add --profile system";
// "needs 1001 data points, found 12".
std::string OnlySoMany(int64_t seen, int64_t needed, std::string_view what = "data points");

// What is wrong with one device or node. At most one for each device of a node in an evaluation.
struct Firing {
  std::string device;  // Empty: the node as a whole.
  std::string node;    // Empty: the run as a whole.
  Evidence evidence;
};

// What a rule makes of all that it has seen so far. Both may be empty: evaluated, and nothing is
// wrong. Firings are what is wrong now: a finding that is missing the next time has ended.
struct Evaluation {
  std::vector<Firing> firings;
  std::string not_evaluated;  // Why it could not be evaluated; empty if it was.
};

// Passes an evaluation on: each firing as a finding of the run. evaluated: whether it could be, now
// or before.
void Report(const Evaluation& evaluation, bool evaluated, Verdicts* verdicts);

// A profiler rule that counts in how many intervals of scan_interval_us it fired. All built-in ones
// are, except ProfilerReport, which runs them as its parts.
class ScanningRule : public ProfilerRule {
 public:
  // rule: its name in reports. shown: the parameters that the original's report lists, in its
  // order.
  ScanningRule(std::string_view rule, const Params& params,
               std::initializer_list<std::string_view> shown);

  // Reports each firing as a finding of the run, and counts the interval of now_us if there is any.
  void EvaluateSoFar(int64_t now_us, Verdicts* verdicts) final;
  std::vector<ProfilerResult> Results() const final;

  // The same as EvaluateSoFar() without Verdicts, for ProfilerReport, which reports findings under
  // its own name. Call one of the two, not both: each call counts.
  Evaluation Consider(int64_t now_us);
  // Whether it could be evaluated at least once.
  bool evaluated() const { return evaluated_; }

 protected:
  // What is wrong as of now. Called about once per second of the run; may keep state.
  virtual Evaluation EvaluateNow(int64_t now_us) = 0;
  // Fills in violations, datapoints and details of a result whose other members are set.
  virtual void Tell(ProfilerResult* result) const = 0;

  // Replaces the text of the parameters, one "name:value" to a line, where `shown` is not enough.
  void SetParameters(std::string text) { parameters_ = std::move(text); }

 private:
  const std::string rule_;
  const int64_t scan_interval_us_;
  std::string parameters_;
  int64_t triggered_ = 0;               // Intervals.
  int64_t last_triggered_ = INT64_MIN;  // The interval's number.
  bool evaluated_ = false;              // At least once.
  std::string not_evaluated_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_SCANNING_RULE_H_
