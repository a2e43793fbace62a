#ifndef WARDEN_RULES_ENGINE_ENGINE_H_
#define WARDEN_RULES_ENGINE_ENGINE_H_

// Runs rules on a run: `warden eval`, `warden run`, the service's rule jobs and the dashboard's
// profile all use it, mostly through a Watcher, which follows a growing run and keeps records.
//
//   auto prepared = PrepareRules(configs, &notices);
//   auto engine = Engine::Make(std::move(prepared.value()), trial, {});
//   while (engine.value()->Advance(64, on_finding) > 0) {}
//   engine.value()->End(on_finding);
//   Print(engine.value()->Reports(/*ended=*/true));

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
#include "warden/rules/engine/script_count.h"
#include "warden/rules/engine/step_moment.h"
#include "warden/rules/finding.h"
#include "warden/rules/rule.h"
#include "warden/rules/step_tensors.h"
#include "warden/trial/trial.h"

namespace warden::rules {

// Checks the configurations and makes the rules, built-in and custom, in the same order. kInvalid:
// what is wrong with the first bad one. Where a rule was asked for by an alias, a notice is
// appended to *notices. Starts the processes of Python rules, see PrepareOwnRule for the thread.
Result<std::vector<PreparedRule>> PrepareRules(std::vector<RuleConfig> configs,
                                               std::vector<std::string>* notices);

// How an engine treats its rules.
struct EngineOptions {
  bool stop_at_first_finding = false;  // A rule stops once it has fired, as in the original.
};

// Checks one run with many rules: each step is read once and its statistics are computed once,
// whatever the number of rules, and so is what the profiler has saved. For one thread, on which all
// callbacks come. Never blocks for new data: Advance checks what is there and returns.
class Engine {
 public:
  // Called with each finding when it opens. Both references are valid during the call. Findings of
  // rules with RuleConfig::for_report are not passed on.
  using OnFinding = std::function<void(const RuleState&, const Finding&)>;

  // Takes the rules over. trial: null if the run has not saved any tensors yet; SetTrial follows
  // then. Opens the runs that rules compare with: the error of a run that cannot be opened, with
  // the rule's name in front. kInvalid for a pattern of a collection that does not compile.
  static Result<std::unique_ptr<Engine>> Make(std::vector<PreparedRule> rules,
                                              std::shared_ptr<trial::Trial> trial,
                                              const EngineOptions& options);

  // The tensors of the run, if they were not there at first. Call it at most once. kInvalid for a
  // pattern of a collection that does not compile; the engine then has no trial.
  Status SetTrial(std::shared_ptr<trial::Trial> trial);
  trial::Trial* trial() const { return trial_.get(); }  // Null before there is one.
  // What the profiler saves of the run. Without it, the profiler rules have nothing to check.
  void SetProfile(std::unique_ptr<timeline::ProfileFeed> feed);
  // The next calls of Advance see all that the profiler has saved by now, to the last file, even if
  // it was created a moment ago.
  void LookAgain();

  // Checks, in order, the steps that are complete by now and were not checked yet, and what the
  // profiler has saved; at most `limit` steps and `limit` pieces of profiler data. Returns the
  // larger of the two numbers: less than `limit` means that nothing more is there for now. Does not
  // refresh the trial. Once steps or profile have ended and are checked to the end, ends the rules
  // that check them.
  int64_t Advance(int64_t limit, const OnFinding& on_finding);
  // Whether there was anything to check so far.
  bool begun() const { return trial_ != nullptr || (profile_ && profile_->now_us() > 0); }
  // Whether the run has said that nothing more will come, and all of it has been loaded.
  bool ended() const;

  // Ends all rules that were not ended yet, for runs that stop without an end marker. May open
  // findings, such as those that need the next step.
  void End(const OnFinding& on_finding);

  // Reports that no step has come for this long, since the last step or since the start. Rules
  // whose patience is over, and that did not report this silence yet, may fire.
  void Silence(std::chrono::milliseconds waited, const OnFinding& on_finding);
  // The shortest time after which Silence matters to a rule that has not reported the present
  // silence; nullopt if none is left.
  std::optional<std::chrono::milliseconds> patience() const;

  // The last step that was checked, global; -1 before the first.
  Step last_step() const { return last_step_; }
  // All rules, in the order of PrepareRules. Valid as long as the engine.
  const std::vector<RuleState>& rules() const { return rules_; }
  // Of all rules that were asked for, as things stand. ended: no more will come, so that a rule
  // without findings is no longer in progress.
  std::vector<RuleReport> Reports(bool ended) const;
  // What the profiling report shows: the results of the rule ProfilerReport. Empty if it is not
  // among the rules, or if there was nothing to see.
  std::vector<ProfilerResult> ProfilerResults() const;

 private:
  explicit Engine(const EngineOptions& options) : options_(options) {}
  // Opens the runs that a rule compares with.
  Status OpenOtherRuns(RuleState* rule) const;
  // Reads a step once, and passes it to each rule that wants it.
  void EvaluateStep(Step step, const OnFinding& on_finding);
  // One rule on the step that is loaded.
  void Evaluate(RuleState* rule, const trial::StepReader& reader, const OnFinding& on_finding);
  // Passes new findings on, and stops the rule if it is to stop at the first.
  void EndStep(RuleState* rule, const OnFinding& on_finding);
  // The two halves of Advance().
  int64_t AdvanceSteps(int64_t limit, const OnFinding& on_finding);
  int64_t AdvanceProfile(int64_t limit, const OnFinding& on_finding);
  // All profiler rules on what they have seen so far.
  void EvaluateProfile(const OnFinding& on_finding);
  // One of them. REQUIRES: SetProfile was called.
  void EvaluateProfile(RuleState* rule, bool at_end);
  // Ends a rule, once.
  void EndRule(RuleState* rule, const OnFinding& on_finding);

  std::shared_ptr<trial::Trial> trial_;
  const EngineOptions options_;
  std::vector<RuleState> rules_;
  std::vector<Selector> selectors_;            // Of all rules.
  std::vector<ProfilerRule*> profiler_rules_;  // Those of rules_.
  std::optional<StepTensors> tensors_;         // None before there is a trial.
  std::optional<ProfileStream> profile_;       // None without SetProfile.
  Step last_step_ = -1;
  ScriptCount count_;  // Of the run's training script.
  StepMoment moment_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_ENGINE_ENGINE_H_
