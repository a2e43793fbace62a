#ifndef WARDEN_RULES_RULE_H_
#define WARDEN_RULES_RULE_H_

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
#include "warden/rules/step_view.h"
#include "warden/rules/verdicts.h"
#include "warden/trial/trial.h"

namespace warden::rules {

class ProfilerRule;

// Checks the complete steps of a run one by one and reports problems. A rule keeps only what later
// steps need; its memory must not grow with the length of the run. Called from one thread.
class Rule {
 public:
  virtual ~Rule() = default;

  // The tensors it checks. Must not change during its lifetime.
  virtual std::vector<Selector> inputs() const = 0;

  // Checks one step. Called in the order of global steps, only for steps with a tensor of one of
  // its inputs. Calls Healthy() or Fire() for each tensor that it checks, and Skip() with the
  // reason for each tensor that it cannot check. An error stops the rule.
  virtual Status Judge(const StepView& step, Verdicts* verdicts) = 0;

  // The run has no more steps. For rules that can check a step only when they know the next one.
  virtual void End(Verdicts* /*verdicts*/) {}

  // For rules that check for missing steps. Silence() is called once while the job is running, when
  // no step has arrived for `patience` since the last step or since the start.
  virtual std::optional<std::chrono::milliseconds> patience() const { return std::nullopt; }
  virtual void Silence(std::chrono::milliseconds /*waited*/, Verdicts* /*verdicts*/) {}

  // Folders of other runs to compare with; opened before the first step.
  virtual std::vector<std::string> other_runs() const { return {}; }
  virtual void SetOtherRuns(std::vector<std::shared_ptr<trial::Trial>> /*runs*/) {}

  // Itself, if it checks system metrics and the timeline instead of tensors.
  virtual ProfilerRule* AsProfilerRule() { return nullptr; }
};

enum class RuleKind : uint8_t { kDebug, kProfiler, kReport };

// A collection to save for a rule, unless the user configures it.
struct Saves {
  std::string_view collection;
  std::string_view include_regex;  // Empty: the collection is a built-in one.
  bool whole_tensors = false;      // Reductions are not enough.
};

// Description of a rule for help, documentation, the API and forms.
struct RuleSpec {
  std::string_view name;    // "AllZero" is in rules/debug/all_zero.cc.
  std::string_view doc;     // One sentence: what a finding means.
  std::string_view advice;  // How to fix it.
  std::span<const Param> params;
  std::span<const Saves> saves = {};
  RuleKind kind = RuleKind::kDebug;
};

// kInvalid if parameters contradict each other.
using MakeRule = Result<std::unique_ptr<Rule>> (*)(const Params&);

struct RuleEntry {
  const RuleSpec* spec;
  MakeRule make;
};

// For rules whose parameters cannot contradict each other.
template <class R>
Result<std::unique_ptr<Rule>> Make(const Params& params) {
  return std::unique_ptr<Rule>(std::make_unique<R>(params));
}

// For rules that check the tensors selected by collection_names and tensor_regex.
inline constexpr Param kCollectionNames = {"collection_names", ParamType::kNames, "",
                                           "Collections to check"};
inline constexpr Param kTensorRegex = {"tensor_regex", ParamType::kPatterns, "",
                                       "Tensors to check: regular expressions matched anywhere in "
                                       "the name"};

}  // namespace warden::rules

#endif  // WARDEN_RULES_RULE_H_
