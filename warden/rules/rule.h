#ifndef WARDEN_RULES_RULE_H_
#define WARDEN_RULES_RULE_H_

// The interface of a rule and its description. debug/ and profiler/ implement the built-in rules,
// custom/ those of users; the registry lists entries, the engine runs them.
//
// A rule is a class derived from Rule, in an unnamed namespace of a separate file:
//
//   class Zeros : public Rule {
//     std::vector<Selector> inputs() const override { return {{.collections = {"gradients"}}}; }
//     Status Evaluate(const StepView& step, Verdicts* verdicts) override;  // Fire() or Healthy()
//   };
//   RuleEntry AllZero() { return {&kSpec, Make<Zeros>}; }  // Listed in catalog/registry.cc.

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/rules/param.h"
#include "warden/rules/selector.h"
#include "warden/rules/severity.h"
#include "warden/rules/step_view.h"
#include "warden/rules/verdicts.h"
#include "warden/trial/trial.h"

namespace warden::rules {

class ProfilerRule;

// Checks the complete steps of a run one by one and reports problems. A rule keeps only what later
// steps need; its memory must not grow with the length of the run.
//
// One instance checks one run. All calls come from one thread, in this order: inputs() and
// SetOtherRuns() once, then Evaluate() and Silence() as steps arrive or stay away, then End() at
// most once. A rule that returned an error is not called again.
class Rule {
 public:
  virtual ~Rule() = default;

  // The tensors it checks; StepView::Input(i) has those of the i-th selector. Must not change
  // during its lifetime. Empty for rules that need no tensors.
  virtual std::vector<Selector> inputs() const = 0;

  // Checks one step. Called in the order of global steps, only for steps with a tensor of one of
  // its inputs, and only from start_step to before end_step. Calls Healthy() or Fire() for each
  // tensor that it checks, and Skip() with the reason for each tensor that it cannot check.
  //
  // `step` and its tensors are valid during the call only; a trial::TensorValue may be copied and
  // kept. An error stops this rule and becomes its status kError; the other rules continue.
  virtual Status Evaluate(const StepView& step, Verdicts* verdicts) = 0;

  // The run has no more steps. For rules that can check a step only when they know the next one.
  virtual void End(Verdicts* /*verdicts*/) {}

  // For rules that check for missing steps. Silence() is called once while the job is running, when
  // no step has arrived for `patience` since the last step or since the start. The next step arms
  // it again. nullopt: never.
  virtual std::optional<std::chrono::milliseconds> patience() const { return std::nullopt; }
  virtual void Silence(std::chrono::milliseconds /*waited*/, Verdicts* /*verdicts*/) {}

  // Folders of other runs to compare with. The engine opens them before the first step and passes
  // them to SetOtherRuns in the same order, which is not called if there are none. A folder that
  // cannot be opened is an error of Engine::Make.
  virtual std::vector<std::string> other_runs() const { return {}; }
  virtual void SetOtherRuns(std::vector<std::shared_ptr<trial::Trial>> /*runs*/) {}

  // Itself, if it checks system metrics and the timeline instead of tensors. Not owned.
  virtual ProfilerRule* AsProfilerRule() { return nullptr; }
};

// kDebug checks tensors and shares start_step and end_step; kProfiler checks system metrics and the
// timeline; kReport makes a report, and is not part of the preset "all".
enum class RuleKind : uint8_t { kDebug, kProfiler, kReport };

// A collection to save for a rule, unless the user configures it. `warden run` adds these to what
// the hook saves.
struct Saves {
  std::string_view collection;
  std::string_view include_regex;  // Empty: the collection is a built-in one.
  bool whole_tensors = false;      // Reductions are not enough.
};

// Description of a rule for help, documentation, the API and forms. Of a built-in rule it lives as
// long as the process; of a custom rule, as long as the rule. All views point to such texts.
struct RuleSpec {
  std::string_view name;              // "AllZero" is in rules/debug/all_zero.cc.
  std::string_view doc;               // One sentence: what a finding means.
  std::string_view advice;            // How to fix it.
  std::span<const Param> params;      // Its own; AllParams() adds the shared ones.
  std::span<const Saves> saves = {};  // Empty: nothing beyond what the user saves.
  RuleKind kind = RuleKind::kDebug;
  Severity severity = Severity::kProblem;  // Of its findings.
};

// Makes a rule from parameters that Params::Read has checked one by one. kInvalid if they
// contradict each other, or if one is missing that has no default.
using MakeRule = Result<std::unique_ptr<Rule>> (*)(const Params&);

// A rule in the registry. `spec` is never null and not owned.
struct RuleEntry {
  const RuleSpec* spec;
  MakeRule make;
};

// MakeRule for rules whose parameters cannot contradict each other: R is made from the parameters.
template <class R>
Result<std::unique_ptr<Rule>> Make(const Params& params) {
  return std::unique_ptr<Rule>(std::make_unique<R>(params));
}

// For rules that check the tensors selected by collection_names and tensor_regex; SelectorFrom
// reads both.
inline constexpr Param kCollectionNames = {"collection_names", ParamType::kNames, "",
                                           "Collections to check"};
inline constexpr Param kTensorRegex = {"tensor_regex", ParamType::kPatterns, "",
                                       "Tensors to check: regular expressions matched anywhere in "
                                       "the name"};

}  // namespace warden::rules

#endif  // WARDEN_RULES_RULE_H_
