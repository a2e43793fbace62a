#include "warden/rules/engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "warden/rules/custom/own_rule.h"
#include "warden/rules/profiler/brief_at_end.h"
#include "warden/storage/store.h"
#include "warden/trial/step_reader.h"

namespace warden::rules {
namespace {

const std::string kBaseTrial = "base_trial";

// The number of the selector among those of all rules; added if it is new.
size_t NumberOf(const Selector& selector, std::vector<Selector>* all) {
  const auto found = std::find(all->begin(), all->end(), selector);
  if (found != all->end()) return static_cast<size_t>(found - all->begin());
  all->push_back(selector);
  return all->size() - 1;
}

Result<std::vector<Matcher>> MakeMatchers(const std::vector<Selector>& selectors,
                                          const trial::Trial& trial) {
  std::vector<Matcher> matchers;
  for (const Selector& selector : selectors) {
    auto matcher = Matcher::Make(selector, trial);
    if (!matcher.ok()) return matcher.status();
    matchers.push_back(std::move(matcher.value()));
  }
  return matchers;
}

Result<std::unique_ptr<Rule>> MakeForShortRuns(const RuleEntry& entry, const ParamTexts& params) {
  auto rule = BriefAtEnd::Make(entry, params);
  if (!rule.ok()) return rule.status();
  return std::unique_ptr<Rule>(std::move(rule.value()));
}

}  // namespace

Result<std::vector<PreparedRule>> PrepareRules(std::vector<RuleConfig> configs,
                                               std::vector<std::string>* notices) {
  if (Status status = MakeNamesUnique(&configs); !status.ok()) return status;
  std::vector<PreparedRule> prepared;
  for (RuleConfig& config : configs) {
    // SageMaker's tables list it for every rule; the run to check is known without it.
    config.params.erase(kBaseTrial);
    if (!config.source.empty()) {
      auto own = PrepareOwnRule(std::move(config));
      if (!own.ok()) return own.status();
      prepared.push_back(std::move(own.value()));
      continue;
    }
    const auto found = FindRule(config.rule);
    if (!found.ok()) return found.status();
    if (!found.value().notice.empty()) notices->push_back(found.value().notice);
    const RuleEntry& entry = *found.value().entry;
    auto params = Params::Read(entry.spec->name, AllParams(*entry.spec), config.params);
    if (!params.ok()) return params.status();
    auto rule = config.of_preset && ChecksShortRuns(*entry.spec)
                    ? MakeForShortRuns(entry, config.params)
                    : entry.make(params.value());
    if (!rule.ok()) return rule.status();
    prepared.push_back(
        {std::move(config), entry.spec, std::move(params.value()), std::move(rule.value())});
  }
  return prepared;
}

Result<std::unique_ptr<Engine>> Engine::Make(std::vector<PreparedRule> rules,
                                             std::shared_ptr<trial::Trial> trial,
                                             const EngineOptions& options) {
  std::unique_ptr<Engine> engine(new Engine(options));
  for (PreparedRule& prepared : rules) {
    RuleState& state = engine->rules_.emplace_back(RuleState{
        std::move(prepared.config), prepared.spec, std::move(prepared.params),
        std::move(prepared.rule), Verdicts(prepared.spec->advice, prepared.spec->severity)});
    state.profiler = state.rule->AsProfilerRule();
    if (state.profiler != nullptr) engine->profiler_rules_.push_back(state.profiler);
    state.inputs = state.rule->inputs();
    for (const Selector& input : state.inputs) {
      state.selectors.push_back(NumberOf(input, &engine->selectors_));
    }
    if (state.profiler == nullptr) {
      state.start_step = state.params.Integer("start_step");
      if (state.params.Has("end_step")) state.end_step = state.params.Integer("end_step");
    }
    if (Status status = engine->OpenOtherRuns(&state); !status.ok()) return status;
  }
  if (trial != nullptr) {
    if (Status status = engine->SetTrial(std::move(trial)); !status.ok()) return status;
  }
  return engine;
}

Status Engine::SetTrial(std::shared_ptr<trial::Trial> trial) {
  auto matchers = MakeMatchers(selectors_, *trial);
  if (!matchers.ok()) return matchers.status();
  trial_ = std::move(trial);
  tensors_.emplace(trial_.get(), std::move(matchers.value()));
  return Status();
}

void Engine::SetProfile(std::unique_ptr<timeline::ProfileFeed> feed) {
  profile_.emplace(std::move(feed));
}

void Engine::LookAgain() {
  if (profile_) profile_->LookAgain();
}

Status Engine::OpenOtherRuns(RuleState* rule) const {
  std::vector<std::shared_ptr<trial::Trial>> trials;
  for (const std::string& name : rule->rule->other_runs()) {
    auto store = storage::OpenStore(name);
    if (!store.ok()) return store.status().WithContext(rule->config.name);
    auto trial = trial::Trial::Open(std::move(store.value()), trial::LookOptions());
    if (!trial.ok()) return trial.status().WithContext(rule->config.name);
    trials.push_back(std::move(trial.value()));
  }
  if (!trials.empty()) rule->rule->SetOtherRuns(std::move(trials));
  return Status();
}

int64_t Engine::Advance(int64_t limit, const OnFinding& on_finding) {
  return std::max(AdvanceSteps(limit, on_finding), AdvanceProfile(limit, on_finding));
}

bool Engine::ended() const {
  const bool steps_ended = trial_ != nullptr && trial_->loaded_all_steps();
  if (!profile_ || !profile_->any()) return steps_ended;
  return profile_->ended() && (trial_ == nullptr || steps_ended);
}

int64_t Engine::AdvanceSteps(int64_t limit, const OnFinding& on_finding) {
  if (trial_ == nullptr) return 0;
  const bool ended = trial_->loaded_all_steps();
  int64_t evaluated = 0;
  for (const Step step : trial_->StepsAfter(last_step_)) {
    if (evaluated == limit) break;
    EvaluateStep(step, on_finding);
    ++evaluated;
  }
  if (!ended || evaluated == limit) return evaluated;
  for (RuleState& rule : rules_) {
    if (rule.profiler == nullptr) EndRule(&rule, on_finding);
  }
  return evaluated;
}

int64_t Engine::AdvanceProfile(int64_t limit, const OnFinding& on_finding) {
  if (!profile_) return 0;
  const bool ended = profile_->ended();
  int64_t passed = 0;
  while (passed < limit && profile_->Pass(profiler_rules_)) {
    ++passed;
    if (profile_->IsDue()) EvaluateProfile(on_finding);
  }
  if (!ended || passed == limit) return passed;
  for (RuleState& rule : rules_) {
    if (rule.profiler != nullptr) EndRule(&rule, on_finding);
  }
  return passed;
}

void Engine::EvaluateProfile(const OnFinding& on_finding) {
  for (RuleState& rule : rules_) {
    if (rule.profiler == nullptr || rule.finished) continue;
    EvaluateProfile(&rule, /*at_end=*/false);
    EndStep(&rule, on_finding);
  }
}

void Engine::EvaluateProfile(RuleState* rule, bool at_end) {
  rule->verdicts.BeginMoment(profile_->now_us(), profile_->step());
  if (at_end) {
    rule->profiler->EvaluateAtEnd(profile_->now_us(), &rule->verdicts);
  } else {
    rule->profiler->EvaluateSoFar(profile_->now_us(), &rule->verdicts);
  }
  if (Status status = rule->profiler->status(); !status.ok()) {
    rule->error = std::move(status);
    rule->finished = true;
  }
}

void Engine::EndRule(RuleState* rule, const OnFinding& on_finding) {
  if (rule->finished || std::exchange(rule->ended, true)) return;
  if (rule->profiler != nullptr) {
    if (!profile_ || profile_->now_us() == 0) return;
    EvaluateProfile(rule, /*at_end=*/true);
  } else {
    rule->verdicts.BeginStep(std::max<Step>(last_step_, 0), Mode::kGlobal);
    rule->rule->End(&rule->verdicts);
  }
  EndStep(rule, on_finding);
}

void Engine::End(const OnFinding& on_finding) {
  for (RuleState& rule : rules_) EndRule(&rule, on_finding);
}

void Engine::EvaluateStep(Step step, const OnFinding& on_finding) {
  last_step_ = step;
  trial::StepReader reader = trial_->ReaderOf(step);
  tensors_->Load(&reader);
  for (RuleState& rule : rules_) {
    rule.told_silence = false;
    const bool wanted = step >= rule.start_step && (!rule.end_step || step < *rule.end_step);
    if (!rule.finished && wanted) Evaluate(&rule, reader, on_finding);
  }
}

void Engine::Evaluate(RuleState* rule, const trial::StepReader& reader,
                      const OnFinding& on_finding) {
  std::vector<const StepView::Tensors*> inputs;
  bool any = false;
  for (const size_t selector : rule->selectors) {
    inputs.push_back(&tensors_->Selected(selector));
    any = any || !inputs.back()->empty();
  }
  if (!any) return;
  const StepView view(reader.step(), reader.mode(), *trial_, std::move(inputs));
  rule->verdicts.BeginStep(view.step(), view.mode());
  if (Status status = rule->rule->Evaluate(view, &rule->verdicts); !status.ok()) {
    rule->error = std::move(status);
    rule->finished = true;
  }
  EndStep(rule, on_finding);
}

void Engine::EndStep(RuleState* rule, const OnFinding& on_finding) {
  rule->verdicts.EndStep([&](Finding& finding) {
    if (trial_ != nullptr) {
      count_.Complete(*trial_, &finding);
      moment_.Complete(*trial_, &finding);
    }
    if (!rule->config.for_report) on_finding(*rule, finding);
  });
  if (options_.stop_at_first_finding && !rule->verdicts.findings().empty()) rule->finished = true;
}

void Engine::Silence(std::chrono::milliseconds waited, const OnFinding& on_finding) {
  for (RuleState& rule : rules_) {
    const auto patience = rule.rule->patience();
    if (!patience || waited < *patience || rule.told_silence || rule.finished) continue;
    rule.told_silence = true;
    rule.verdicts.BeginStep(std::max<Step>(last_step_, 0), Mode::kGlobal);
    rule.rule->Silence(waited, &rule.verdicts);
    EndStep(&rule, on_finding);
  }
}

std::optional<std::chrono::milliseconds> Engine::patience() const {
  std::optional<std::chrono::milliseconds> shortest;
  for (const RuleState& rule : rules_) {
    const auto patience = rule.rule->patience();
    if (!patience || rule.told_silence || rule.finished) continue;
    shortest = shortest ? std::min(*shortest, *patience) : patience;
  }
  return shortest;
}

std::vector<RuleReport> Engine::Reports(bool ended) const {
  std::vector<RuleReport> reports;
  for (const RuleState& rule : rules_) {
    if (rule.config.for_report) continue;
    const bool matched =
        tensors_ && std::any_of(rule.selectors.begin(), rule.selectors.end(),
                                [&](size_t selector) { return tensors_->EverMatched(selector); });
    RuleReport report = ReportOf(rule, matched, ended);
    if (ended && !tensors_ && rule.profiler == nullptr && report.findings.empty()) {
      report.status = RuleStatus::kNotEvaluated;
      report.reason = "no tensors were saved";
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

std::vector<ProfilerResult> Engine::ProfilerResults() const {
  if (!profile_ || profile_->now_us() == 0) return {};
  for (const RuleState& rule : rules_) {
    if (rule.profiler == nullptr || rule.spec->kind != RuleKind::kReport) continue;
    return rule.profiler->Results();
  }
  return {};
}

}  // namespace warden::rules
