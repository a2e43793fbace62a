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

// Looks at the complete steps of a run, one after the other, and says what is wrong. A rule keeps
// only what later steps need, of a size that does not grow with the run. Called from one thread.
class Rule {
 public:
  virtual ~Rule() = default;

  // What it wants to see; the same as long as it lives.
  virtual std::vector<Selector> inputs() const = 0;

  // In the order of global steps, only with steps that have a tensor of one of its inputs. A tensor
  // that it judges is told as healthy or as not, one that it cannot judge is skipped with the
  // reason. An error ends the rule.
  virtual Status Judge(const StepView& step, Verdicts* verdicts) = 0;

  // No more steps will come. For rules that can judge a step only when they know the next one.
  virtual void End(Verdicts* /*verdicts*/) {}

  // For rules that judge silence: called while the job runs and no step comes, once when
  // `patience` has passed since the last step (or since watching began).
  virtual std::optional<std::chrono::milliseconds> patience() const { return std::nullopt; }
  virtual void Silence(std::chrono::milliseconds /*waited*/, Verdicts* /*verdicts*/) {}

  // Other runs that it compares with, by their folders; opened before the first step.
  virtual std::vector<std::string> other_runs() const { return {}; }
  virtual void SetOtherRuns(std::vector<std::shared_ptr<trial::Trial>> /*runs*/) {}

  // Itself, if it looks at the machine and the timeline instead of tensors.
  virtual ProfilerRule* AsProfilerRule() { return nullptr; }
};

enum class RuleKind : uint8_t { kDebug, kProfiler, kReport };

// A collection that has to be saved for a rule, unless the user says otherwise.
struct Saves {
  std::string_view collection;
  std::string_view include_regex;  // Empty: the collection is a built-in one.
  bool whole_tensors = false;      // Reductions do not do.
};

// All that help, documentation, the API and forms know of a rule.
struct RuleSpec {
  std::string_view name;    // "AllZero" lives in rules/debug/all_zero.cc.
  std::string_view doc;     // One sentence: what it means when this fires.
  std::string_view advice;  // What to try then.
  std::span<const Param> params;
  std::span<const Saves> saves = {};
  RuleKind kind = RuleKind::kDebug;
};

// kInvalid if parameters do not go together.
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

// Of a rule that looks at what collection_names and tensor_regex say.
inline constexpr Param kCollectionNames = {"collection_names", ParamType::kNames, "",
                                           "Collections to look at"};
inline constexpr Param kTensorRegex = {"tensor_regex", ParamType::kPatterns, "",
                                       "Patterns of the names of tensors to look at"};

}  // namespace warden::rules

#endif  // WARDEN_RULES_RULE_H_
