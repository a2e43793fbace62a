#include <fmt/format.h>

#include <deque>

#include "warden/rules/closeness.h"
#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/step_tensors.h"
#include "warden/trial/step_reader.h"

namespace warden::rules {
namespace {

// A run that is compared with.
class OtherRun {
 public:
  // everything: every tensor of that run; which are compared, the run decides that is evaluated.
  OtherRun(std::shared_ptr<trial::Trial> trial, Matcher everything)
      : trial_(std::move(trial)), tensors_(trial_.get(), {std::move(everything)}) {}

  trial::Trial& trial() { return *trial_; }

  // Whether it has the step. In a run that goes on, looks for what is new.
  Result<bool> Has(const StepView& step) {
    const auto available = [&] {
      return trial_->HasPassedStep(step.mode_step(), step.mode()) == trial::StepState::kAvailable;
    };
    if (available()) return true;
    if (trial_->loaded_all_steps()) return false;
    if (const auto progress = trial_->Refresh(); !progress.ok()) return progress.status();
    return available();
  }

  // Calls visit(i, like) for each tensor i that this run has, too, of the same worker.
  template <class Visit>
  void VisitCommon(const StepView& step, const Visit& visit) {
    const auto global = trial_->GlobalStep(step.mode(), step.mode_step());
    trial::StepReader reader = trial_->ReaderOf(global.value_or(-1));
    tensors_.Load(&reader);
    // Both are sorted so.
    const auto key = [](const TensorView& view) { return std::pair(view.name(), view.worker()); };
    auto theirs = tensors_.Selected(0).begin();
    const auto end = tensors_.Selected(0).end();
    for (size_t i = 0; i < step.Input(0).size(); ++i) {
      const TensorView& ours = *step.Input(0)[i];
      while (theirs != end && key(**theirs) < key(ours)) ++theirs;
      if (theirs != end && key(**theirs) == key(ours)) visit(i, **theirs);
    }
  }

 private:
  std::shared_ptr<trial::Trial> trial_;
  StepTensors tensors_;
};

class Similar : public Rule {
 public:
  explicit Similar(const Params& params)
      : selector_(SelectorFrom(params, {.all = true})), folders_(params.List("other_trials")) {}

  std::vector<Selector> inputs() const override { return {selector_}; }
  std::vector<std::string> other_runs() const override { return folders_; }

  void SetOtherRuns(std::vector<std::shared_ptr<trial::Trial>> runs) override {
    for (auto& run : runs) {
      auto everything = Matcher::Make({.all = true}, *run);  // No pattern that could be refused.
      others_.emplace_back(std::move(run), std::move(everything.value()));
    }
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    std::vector<Outcome> outcomes(step.Input(0).size());
    for (OtherRun& other : others_) {
      const auto has_step = other.Has(step);
      if (!has_step.ok()) return has_step.status();
      if (has_step.value()) {
        other.VisitCommon(step, [&](size_t i, TensorView& theirs) {
          CompareWith(other.trial(), *step.Input(0)[i], theirs, &outcomes[i]);
        });
      } else if (!other.trial().loaded_all_steps()) {
        verdicts->Note(
            fmt::format("{} is still running; steps it had not reached were not compared",
                        other.trial().location()));
      }
    }
    for (size_t i = 0; i < outcomes.size(); ++i) {
      Report(step, *step.Input(0)[i], outcomes[i], verdicts);
    }
    return Status();
  }

 private:
  struct Outcome {  // Of one tensor, over all other runs.
    bool compared = false;
    std::string_view skipped = "not saved by another run at the same step";
    std::optional<Evidence> against = {};
  };

  void CompareWith(const trial::Trial& other, TensorView& ours, TensorView& theirs,
                   Outcome* outcome) const {
    if (outcome->against) return;
    Comparison comparison = Compare(ours, theirs, tolerance_);
    if (!comparison.skipped.empty()) {
      outcome->skipped = comparison.skipped;
      return;
    }
    outcome->compared = true;
    if (!comparison.difference) return;
    outcome->against = {
        comparison.difference->largest, comparison.difference->allowed,
        fmt::format("differs from {} {}", other.location(), comparison.difference->what)};
  }

  void Report(const StepView& step, TensorView& tensor, const Outcome& outcome,
              Verdicts* verdicts) {
    if (outcome.against) {
      verdicts->Fire(tensor, *outcome.against);
      if (!parted_) {
        verdicts->Note(
            fmt::format("the runs first differ at step {}, in {}", step.step(), tensor.name()));
      }
      parted_ = true;
    } else if (outcome.compared) {
      verdicts->Healthy(tensor);
    } else {
      verdicts->Skip(tensor, outcome.skipped);
    }
  }

  const Selector selector_;
  const std::vector<std::string> folders_;
  const Tolerance tolerance_{.equal_nan = true};
  std::deque<OtherRun> others_;
  bool parted_ = false;
};

Result<std::unique_ptr<Rule>> MakeSimilar(const Params& params) {
  if (params.List("other_trials").empty()) {
    return params.Refuse("no run to compare with; set other_trials");
  }
  return Make<Similar>(params);
}

}  // namespace

RuleEntry SimilarAcrossRuns() {
  static constexpr Param kParams[] = {
      {"other_trials", ParamType::kNames, "", "Folders of the runs to compare with"},
      kCollectionNames,
      kTensorRegex};
  static constexpr RuleSpec kSpec{
      "SimilarAcrossRuns", "A tensor differs from the same tensor of another run at the same step.",
      "Compare seeds, data order, library versions and settings of both runs. Start at the first "
      "tensor and step that differ.",
      kParams};
  return {&kSpec, MakeSimilar};
}

}  // namespace warden::rules
