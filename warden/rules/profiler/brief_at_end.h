#ifndef WARDEN_RULES_PROFILER_BRIEF_AT_END_H_
#define WARDEN_RULES_PROFILER_BRIEF_AT_END_H_

// Profiler rules that also check runs that end before their patience does. With SageMaker's default
// of 1000 data points, which are 8 minutes, many of them would say nothing of a short run. For
// ProfilerReport, and for rules of presets; a rule that was asked for by its name does what its
// parameters say.

#include <memory>
#include <string>
#include <vector>

#include "warden/rules/profiler/scanning_rule.h"

namespace warden::rules {

// Whether a rule may be one of these if nobody has named it. Not GPUMemoryIncrease, whatever its
// patience: memory is expected to grow while a training starts.
bool ChecksShortRuns(const RuleSpec& spec);

// A rule and, if it ignores more points than that at first, the same with a patience of 50 points,
// which are 25 seconds with the usual interval. That one counts if the run ends before the rule
// could be evaluated; it is evaluated once, at the end. Both see everything.
class BriefAtEnd : public ProfilerRule {
 public:
  // Of a rule that is a ScanningRule. given: parameters that were set; a patience among them is
  // kept, however long the run is. The errors of Params::Read and of entry.make.
  static Result<std::unique_ptr<BriefAtEnd>> Make(const RuleEntry& entry, const ParamTexts& given);

  void See(const timeline::NodeSample& sample, const timeline::Names& names) override;
  void See(const timeline::Span& span, const timeline::Names& names) override;
  void EvaluateSoFar(int64_t now_us, Verdicts* verdicts) override;
  void EvaluateAtEnd(int64_t now_us, Verdicts* verdicts) override;
  // One, with a note if it is that of the rule with less patience.
  std::vector<ProfilerResult> Results() const override;

  // The same as EvaluateSoFar() and EvaluateAtEnd() without Verdicts, for ProfilerReport. Call
  // these or those: each call counts.
  Evaluation Consider(int64_t now_us, bool at_end);
  const RuleSpec& spec() const { return *spec_; }

 private:
  BriefAtEnd(const RuleSpec* spec, std::unique_ptr<Rule> rule, std::unique_ptr<Rule> brief)
      : spec_(spec), rule_(std::move(rule)), brief_(std::move(brief)) {}

  // That of the two that counts.
  ScanningRule& Current() const;
  // What the brief rule finds. REQUIRES: there is one.
  Evaluation ConsiderBriefly(int64_t now_us);

  const RuleSpec* spec_;
  std::unique_ptr<Rule> rule_;
  std::unique_ptr<Rule> brief_;  // Null if there is none, or once it is not needed.
  std::string note_;             // Set if the brief one is the one that counts.
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_BRIEF_AT_END_H_
