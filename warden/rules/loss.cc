#include "warden/rules/loss.h"

#include <algorithm>

#include "warden/rules/finite_statistics.h"
#include "warden/rules/loss_place.h"

namespace warden::rules {

Selector LossSelector(const Params& params) {
  return SelectorFrom(params, {.collections = {"losses"}});
}

std::optional<double> LossOf(TensorView& tensor, Verdicts* verdicts) {
  if (RisesWhenBetter(tensor.name())) {
    verdicts->Skip(tensor, "higher is better for this metric");
    return std::nullopt;
  }
  const auto mean = Mean(tensor);
  if (mean) return mean->value;
  verdicts->Skip(tensor, WhyNoStatistic(tensor));
  return std::nullopt;
}

Mode LossMode::Choose(const StepView& step) {
  if (given_) return *given_;
  const std::vector<Mode> modes = step.trial().Modes();
  const auto has = [&](Mode mode) {
    return std::find(modes.begin(), modes.end(), mode) != modes.end();
  };
  if (any_steps_ && has(Mode::kEval)) return Mode::kEval;
  if (step.mode() == Mode::kEval) eval_losses_ = true;
  if (!asked_ && has(Mode::kEval)) {
    // So that a run that is read after its end is checked by its evaluations from the start.
    asked_ = true;
    eval_losses_ = eval_losses_ || HasEvalLosses(step.trial());
  }
  if (eval_losses_) return Mode::kEval;
  return has(Mode::kTrain) ? Mode::kTrain : Mode::kGlobal;
}

bool LossMode::HasEvalLosses(const trial::Trial& trial) const {
  const auto any = [&](const trial::NameFilter& filter) {
    const auto names = trial.TensorNames(filter);
    return names.ok() && !names.value().empty();
  };
  for (const std::string& collection : losses_.collections) {
    if (any({.mode = Mode::kEval, .collection = collection})) return true;
  }
  return !losses_.patterns.empty() && any({.mode = Mode::kEval, .regex = losses_.patterns});
}

}  // namespace warden::rules
