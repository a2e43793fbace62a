#ifndef WARDEN_RULES_ENGINE_ENGINE_H_
#define WARDEN_RULES_ENGINE_ENGINE_H_

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/rules/catalog/prepared_rule.h"
#include "warden/rules/catalog/registry.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/engine/profile_stream.h"
#include "warden/rules/engine/report.h"
#include "warden/rules/finding.h"
#include "warden/rules/rule.h"
#include "warden/rules/step_tensors.h"
#include "warden/trial/trial.h"

namespace warden::rules {

// Checks the configurations and makes the rules. kInvalid: what is wrong with the first bad one.
// Where a rule was asked for by another name, a notice of that is added.
Result<std::vector<PreparedRule>> PrepareRules(std::vector<RuleConfig> configs,
                                               std::vector<std::string>* notices);

struct EngineOptions {
  bool stop_at_first_finding = false;  // A rule ends when it has fired, as in the original.
};

// Judges one run by many rules: each step is read once and its figures are computed once, whatever
// the number of rules, and so is what the profiler has saved. For one thread.
class Engine {
 public:
  // Told of each finding when it begins.
  using OnFinding = std::function<void(const RuleState&, const Finding&)>;

  // kNotFound or kInvalid for other runs that cannot be opened. trial: null if the run has not
  // saved anything yet.
  static Result<std::unique_ptr<Engine>> Make(std::vector<PreparedRule> rules,
                                              std::shared_ptr<trial::Trial> trial,
                                              const EngineOptions& options);

  // The tensors of the run, if they were not there at first. To be called once.
  Status SetTrial(std::shared_ptr<trial::Trial> trial);
  trial::Trial* trial() const { return trial_.get(); }
  // What the profiler saves of the run. Without it, its rules have nothing to judge.
  void SetProfile(std::unique_ptr<timeline::ProfileFeed> feed);
  // What the profiler has saved by now is judged by the next calls of Advance, to the last file.
  void LookAgain();

  // Judges, in order, the steps that are complete by now and were not judged yet, and what the
  // profiler has saved; at most `limit` steps and pieces of each. Returns how many of the larger.
  // What has ended, and has nothing left to judge, is ended for the rules too.
  int64_t Advance(int64_t limit, const OnFinding& on_finding);
  // Whether there was anything to judge so far.
  bool begun() const { return trial_ != nullptr || (profile_ && profile_->now_us() > 0); }
  // Whether nothing more will come, as far as the run has said so.
  bool ended() const;

  // Tells the rules that no more steps will come, for runs that break off without a word. Once.
  void End(const OnFinding& on_finding);

  // No step has come for so long.
  void Silence(std::chrono::milliseconds waited, const OnFinding& on_finding);
  // The shortest time after which Silence is of interest to a rule that has not been told yet.
  std::optional<std::chrono::milliseconds> patience() const;

  // The last step that was judged; -1 before the first.
  Step last_step() const { return last_step_; }
  const std::vector<RuleState>& rules() const { return rules_; }
  // Of all rules that were asked for, as things stand. ended: no more will come.
  std::vector<RuleReport> Reports(bool ended) const;
  // What the profiler's report tells: of the rule ProfilerReport. Empty if it is not among them, or
  // if there was nothing to see.
  std::vector<ProfilerResult> ProfilerResults() const;

 private:
  explicit Engine(const EngineOptions& options) : options_(options) {}
  Status OpenOtherRuns(RuleState* rule) const;
  void JudgeStep(Step step, const OnFinding& on_finding);
  void Judge(RuleState* rule, const trial::StepReader& reader, const OnFinding& on_finding);
  void EndStep(RuleState* rule, const OnFinding& on_finding);
  int64_t AdvanceSteps(int64_t limit, const OnFinding& on_finding);
  int64_t AdvanceProfile(int64_t limit, const OnFinding& on_finding);
  void JudgeProfile(const OnFinding& on_finding);
  void EndRule(RuleState* rule, const OnFinding& on_finding);

  std::shared_ptr<trial::Trial> trial_;
  const EngineOptions options_;
  std::vector<RuleState> rules_;
  std::vector<Selector> selectors_;  // Of all rules.
  std::vector<ProfilerRule*> profiler_rules_;
  std::optional<StepTensors> tensors_;
  std::optional<ProfileStream> profile_;
  Step last_step_ = -1;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_ENGINE_ENGINE_H_
