#ifndef WARDEN_RULES_ENGINE_H_
#define WARDEN_RULES_ENGINE_H_

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/rules/finding.h"
#include "warden/rules/registry.h"
#include "warden/rules/report.h"
#include "warden/rules/rule.h"
#include "warden/rules/rule_config.h"
#include "warden/rules/step_tensors.h"
#include "warden/trial/trial.h"

namespace warden::rules {

// A rule made ready, not yet bound to a run.
struct PreparedRule {
  RuleConfig config;
  const RuleSpec* spec = nullptr;
  Params params;
  std::unique_ptr<Rule> rule;
};

// Checks the configurations and makes the rules. kInvalid: what is wrong with the first bad one.
// Where a rule was asked for by another name, a notice of that is added.
Result<std::vector<PreparedRule>> PrepareRules(std::vector<RuleConfig> configs,
                                               std::vector<std::string>* notices);

struct EngineOptions {
  bool stop_at_first_finding = false;  // A rule ends when it has fired, as in the original.
};

// Judges the steps of one run by many rules: each step is read once and its figures are computed
// once, whatever the number of rules. For one thread.
class Engine {
 public:
  // Told of each finding when it begins.
  using OnFinding = std::function<void(const RuleState&, const Finding&)>;

  // kNotFound or kInvalid for other runs that cannot be opened.
  static Result<std::unique_ptr<Engine>> Make(std::vector<PreparedRule> rules,
                                              std::shared_ptr<trial::Trial> trial,
                                              const EngineOptions& options);

  // Judges, in order, the steps that are complete by now and were not judged yet; at most `limit`.
  // Returns how many. When the run has ended and none is left, does what End does.
  int64_t Advance(int64_t limit, const OnFinding& on_finding);

  // Tells the rules that no more steps will come, for runs that break off without a word. Once.
  void End(const OnFinding& on_finding);

  // No step has come for so long.
  void Silence(std::chrono::milliseconds waited, const OnFinding& on_finding);
  // The shortest time after which Silence is of interest to a rule that has not been told yet.
  std::optional<std::chrono::milliseconds> patience() const;

  // The last step that was judged; -1 before the first.
  Step last_step() const { return last_step_; }
  const std::vector<RuleState>& rules() const { return rules_; }
  // Of all rules, as things stand. ended: no more steps will come.
  std::vector<RuleReport> Reports(bool ended) const;

 private:
  Engine(std::shared_ptr<trial::Trial> trial, const EngineOptions& options)
      : trial_(std::move(trial)), options_(options) {}
  Status OpenOtherRuns(RuleState* rule) const;
  void JudgeStep(Step step, const OnFinding& on_finding);
  void Judge(RuleState* rule, const trial::StepReader& reader, const OnFinding& on_finding);
  void EndStep(RuleState* rule, const OnFinding& on_finding);

  std::shared_ptr<trial::Trial> trial_;
  const EngineOptions options_;
  std::vector<RuleState> rules_;
  std::optional<StepTensors> tensors_;
  Step last_step_ = -1;
  bool ended_ = false;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_ENGINE_H_
