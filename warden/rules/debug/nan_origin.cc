#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/debug/nan_spread.h"
#include "warden/rules/finite_statistics.h"
#include "warden/rules/firings.h"
#include "warden/rules/first_nan.h"
#include "warden/rules/loss_scaler.h"
#include "warden/rules/xgboost_names.h"

namespace warden::rules {
namespace {

struct Culprit {
  const SeenTensor* seen = nullptr;
  std::string why;
  std::optional<Confidence> confidence = {};
};

// REQUIRES: something is bad; in the order in which the hook saved.
class Search {
 public:
  explicit Search(const std::vector<SeenTensor>& seen)
      : seen_(seen),
        first_(*std::find_if(seen.begin(), seen.end(), [](const SeenTensor& s) { return s.bad; })) {
  }

  Culprit Find() const {
    // Weights are saved before forward begins: what is bad there was so before.
    if (first_.place.part == TensorPart::kOther) {
      return {&first_, "first tensor of this step with NaN or Inf"};
    }
    if (first_.place.part == TensorPart::kGradient) {
      return {&first_,
              fmt::format("first gradient in backward order with NaN or Inf, {}", ForwardText())};
    }
    for (const SeenTensor& one : seen_) {
      if (one.place.part != TensorPart::kOutput || !one.bad) continue;
      const auto inputs = InputsOf(one.place.module);
      if (std::any_of(inputs.begin(), inputs.end(), [](const SeenTensor* s) { return s->bad; }))
        continue;
      // Without its inputs, an operator between two modules may have made them.
      const auto sure = inputs.empty() ? std::nullopt : std::optional(Confidence::kHigh);
      return {&one,
              fmt::format("first output in forward order with NaN or Inf; {}{}", InputsText(inputs),
                          FirstText(one)),
              sure};
    }
    return {&first_, "model input with NaN or Inf, before any module output", Confidence::kHigh};
  }

 private:
  std::vector<const SeenTensor*> InputsOf(std::string_view module) const {
    std::vector<const SeenTensor*> inputs;
    for (const SeenTensor& one : seen_) {
      if (one.place.part == TensorPart::kInput && one.place.module == module)
        inputs.push_back(&one);
    }
    return inputs;
  }

  // Of the output before, where the module's own inputs were not saved.
  std::string InputsText(const std::vector<const SeenTensor*>& inputs) const {
    std::vector<std::string_view> names;
    for (const SeenTensor* input : inputs) names.push_back(input->view->name());
    if (!names.empty()) return fmt::format("its inputs are finite ({})", fmt::join(names, ", "));
    const SeenTensor* before = nullptr;
    for (const SeenTensor& one : seen_) {
      if (one.bad) break;
      if (one.place.part == TensorPart::kOutput) before = &one;
    }
    return before == nullptr ? "its inputs were not saved"
                             : fmt::format(
                                   "its inputs were not saved, the output before it is "
                                   "finite ({})",
                                   before->view->name());
  }

  // Something between two modules may have gone bad before the module around them shows it.
  std::string FirstText(const SeenTensor& culprit) const {
    if (&first_ == &culprit) return "";
    return fmt::format("; inside it, {} was first", first_.view->name());
  }

  std::string ForwardText() const {
    const auto forward = std::count_if(seen_.begin(), seen_.end(), [](const SeenTensor& s) {
      return s.place.part == TensorPart::kInput || s.place.part == TensorPart::kOutput;
    });
    return forward == 0 ? "no forward tensors saved"
                        : fmt::format("after {} finite forward tensors", forward);
  }

  const std::vector<SeenTensor>& seen_;
  const SeenTensor& first_;
};

class Origin : public Rule {
 public:
  explicit Origin(const Params& params) : selector_(SelectorFrom(params, {.all = true})) {}

  std::vector<Selector> inputs() const override {
    return {selector_, FirstNanInput(), LossScaler::Input()};
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    TellWhatTheHookFound(step, verdicts);
    scaler_.Read(step.Input(2));
    std::map<std::string_view, std::vector<SeenTensor>> workers;
    for (TensorView* tensor : step.Input(0)) {
      if (IsTreeTable(tensor->name())) continue;
      const auto found = CountNonFinite(*tensor);
      if (found) {
        const bool bad = found->nan + found->inf > 0 && !scaler_.Explains(*tensor);
        workers[tensor->worker()].push_back({.view = tensor, .bad = bad});
        if (!bad) verdicts->Healthy(*tensor);
      } else {
        verdicts->Skip(*tensor, kNoValues);
      }
    }
    for (auto& [worker, seen] : workers) EvaluateWorker(worker, step, &seen);
    firings_.TellTo(verdicts);
    TellSpread(verdicts);
    TellWhereScalersAreStuck(step, verdicts);
    if (told_of_run_ &&
        std::none_of(broken_.begin(), broken_.end(), [](const auto& b) { return b.second; })) {
      verdicts->HealthyRun();
    }
    return Status();
  }

 private:
  // It has looked at each operator, which says more than what was saved of the step.
  void TellWhatTheHookFound(const StepView& step, Verdicts* verdicts) {
    for (const FirstNan& found : FirstNansIn(step.Input(1))) {
      // Facts are saved again with each new one.
      if (!told_.insert({found.step, found.worker + found.tensor}).second) continue;
      for (TensorView* facts : step.Input(1)) {
        broken_[std::string(facts->worker())] = step.mode();
        Spreading& spreading = spreading_[std::string(facts->worker())];
        spreading = {found.tensor, found.worker};
        spreading.spread.Begin(found.step, found.tensor);
      }
      told_at_ = step.step();
      told_of_run_ = true;
      if (found.step < step.step()) verdicts->About(found.step, step.mode());
      verdicts->FireRun(found.tensor, found.worker, {1, 0, found.what, "", found.confidence()});
      if (found.step < step.step()) verdicts->About(step.step(), step.mode());
    }
  }

  // Gradients may not have been saved at this step.
  void TellWhereScalersAreStuck(const StepView& step, Verdicts* verdicts) {
    for (const LossScaler::Stuck& stuck : scaler_.AllStuck()) {
      std::optional<Mode>& broken = broken_.try_emplace(std::string(stuck.worker)).first->second;
      if (broken) continue;
      broken = step.mode();
      told_of_run_ = true;
      verdicts->FireRun("", std::string(stuck.worker), {stuck.skipped, 0, stuck.what});
    }
  }

  void EvaluateWorker(std::string_view worker, const StepView& at, std::vector<SeenTensor>* seen) {
    const Mode mode = at.mode();
    std::optional<Mode>& broken = broken_.try_emplace(std::string(worker)).first->second;
    if (std::none_of(seen->begin(), seen->end(), [](const SeenTensor& s) { return s.bad; })) {
      // In the step that the hook has named, what was saved may be finite; and it goes on while a
      // scaler leaves out the steps.
      const bool over = told_at_ != at.step() && !scaler_.IsSkipping(worker);
      if (broken == mode && over) broken.reset();
      return;
    }
    // What comes after the first step is its consequence.
    if (broken && !Spreads(worker, at)) return;
    for (SeenTensor& one : *seen) one.place = PlaceOfTensor(one.view->name());
    std::sort(seen->begin(), seen->end(), [](const SeenTensor& a, const SeenTensor& b) {
      return a.view->position() < b.view->position();
    });
    if (!broken) {
      broken = mode;
      AddCulprit(worker, *seen);
    }
    spreading_.find(worker)->second.spread.Add(at.step(), *seen);
  }

  // Whether to look where it goes in this step.
  bool Spreads(std::string_view worker, const StepView& at) const {
    const auto found = spreading_.find(worker);
    return found != spreading_.end() && !found->second.spread.IsComplete(at.step()) &&
           broken_.find(worker)->second == at.mode();
  }

  void AddCulprit(std::string_view worker, const std::vector<SeenTensor>& seen) {
    Culprit culprit = Search(seen).Find();
    for (const LossScaler::Stuck& stuck : scaler_.AllStuck()) {
      if (culprit.seen->place.part == TensorPart::kGradient && stuck.worker == worker) {
        culprit.why += "; " + stuck.what;
      }
    }
    const auto found = CountNonFinite(*culprit.seen->view);
    firings_.Add(*culprit.seen->view,
                 {found->nan + found->inf, 0, culprit.why, "", culprit.confidence});
    spreading_[std::string(worker)] = {std::string(culprit.seen->view->name()),
                                       std::string(worker)};
  }

  void TellSpread(Verdicts* verdicts) {
    for (auto& [worker, one] : spreading_) {
      const std::vector<std::string>& places = one.spread.places();
      // The first place alone is in the message.
      if (places.size() < 2 || places.size() == std::exchange(one.told, places.size())) continue;
      verdicts->Spread(one.tensor, one.worker, places);
    }
  }

  // Of the newest finding of a worker.
  struct Spreading {
    std::string tensor, worker;  // As the finding has them.
    NanSpread spread = {};
    size_t told = 0;  // Places.
  };

  const Selector selector_;
  Firings firings_;
  LossScaler scaler_;
  bool told_of_run_ = false;  // Something that is not about a saved tensor.
  Step told_at_ = -1;
  std::set<std::pair<Step, std::string>> told_;  // What the hook found, and was reported.
  // By worker: the mode in which it broke, and where it went from there.
  std::map<std::string, std::optional<Mode>, std::less<>> broken_;
  std::map<std::string, Spreading, std::less<>> spreading_;
};

}  // namespace

RuleEntry NaNOrigin() {
  static constexpr Param kParams[] = {kCollectionNames, kTensorRegex};
  static constexpr Saves kSaves[] = {
      {"weights", ""}, {"gradients", ""}, {"forward", "_input_|_output_"}};
  static constexpr RuleSpec kSpec{
      "NaNOrigin", "NaN or infinite values appeared; this is where they started.",
      "Output: check the module for division by zero, log or sqrt of non-positive values, or "
      "half-precision overflow. Gradient: clip it or scale the loss down. Input: clean the data. "
      "Weight: lower the learning rate.",
      kParams, kSaves};
  return {&kSpec, Make<Origin>};
}

}  // namespace warden::rules
