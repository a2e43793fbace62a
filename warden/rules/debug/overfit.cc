#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/loss.h"
#include "warden/rules/loss_choice.h"
#include "warden/rules/loss_pairs.h"

namespace warden::rules {
namespace {

// The losses of one mode since the last evaluation.
struct Sum {
  double total = 0;
  int64_t count = 0;
  int64_t streak = 0;  // Of EVAL: evaluations in a row that were too high.

  double mean() const { return total / static_cast<double>(count); }
};

// How far the loss in evaluation is above that in training, as a share of the latter.
double Excess(double train, double eval) {
  if (train != 0) return (eval - train) / std::abs(train);
  if (eval == 0) return 0;
  return std::copysign(std::numeric_limits<double>::infinity(), eval);
}

class LossGap : public Rule {
 public:
  explicit LossGap(const Params& params)
      : selector_(LossSelector(params)),
        patience_(params.Integer("patience")),
        threshold_(params.Number("ratio_threshold")) {}

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    const bool eval = step.mode() == Mode::kEval;
    if (last_eval_ >= 0 && !(eval && Continues(step))) EndPhase(verdicts);
    verdicts->TooLittle("needs EVAL losses after TRAIN losses, found none");
    const bool evaluated = Take(step, verdicts);
    if (evaluated) {
      last_eval_ = step.step();
      last_eval_mode_step_ = step.mode_step();
      last_eval_mode_ = step.mode();
    }
    return Status();
  }

  void End(Verdicts* verdicts) override {
    if (last_eval_ >= 0) EndPhase(verdicts);
  }

 private:
  // Whether no step of another mode, saved or not, lies between this and the last one.
  bool Continues(const StepView& step) const {
    return step.step() - last_eval_ == step.mode_step() - last_eval_mode_step_;
  }

  // Whether there were losses of evaluation among them.
  bool Take(const StepView& step, Verdicts* verdicts) {
    bool evaluated = step.mode() == Mode::kEval;
    for (TensorView* tensor : choice_.Of(step, step.Input(0), verdicts)) {
      const auto place = PlaceOf(tensor->name(), step.mode());
      if (!place) continue;
      if (const auto loss = LossOf(*tensor, verdicts)) {
        Sum& sum = losses_.Of(*tensor, *place);
        sum.total += *loss;
        ++sum.count;
        evaluated = evaluated || place->mode == Mode::kEval;
      }
    }
    return evaluated;
  }

  // An evaluation is over only when the next step is known to be something else.
  void EndPhase(Verdicts* verdicts) {
    verdicts->About(last_eval_, last_eval_mode_);
    last_eval_ = -1;
    const auto all = losses_.All();
    for (auto* loss : all) {
      if (loss->eval && loss->eval->count > 0) EvaluatePhase(*loss, verdicts);
    }
    for (auto* loss : all) {
      if (loss->train) *loss->train = {};
      if (loss->eval) *loss->eval = {.streak = loss->eval->streak};
    }
  }

  void EvaluatePhase(LossPairs<Sum>::Loss& loss, Verdicts* verdicts) {
    Sum train;
    for (const Sum* part : losses_.Counterparts(loss, Mode::kTrain)) {
      train.total += part->total;
      train.count += part->count;
    }
    if (train.count == 0) {
      verdicts->Skip(loss.tensor, "no TRAIN losses before the evaluation");
      return;
    }
    Sum& eval = *loss.eval;
    const double excess = Excess(train.mean(), eval.mean());
    eval.streak = excess > threshold_ ? eval.streak + 1 : 0;
    if (eval.streak < patience_) {
      verdicts->Healthy(loss.tensor);
      return;
    }
    verdicts->Fire(loss.tensor,
                   {excess, threshold_,
                    fmt::format("mean EVAL loss {:.4g} is above mean TRAIN loss {:.4g} by a ratio "
                                "of {:.3g} (threshold {:g}) in {} in a row",
                                eval.mean(), train.mean(), excess, threshold_, Evaluations(eval))});
  }

  static std::string Evaluations(const Sum& eval) {
    return fmt::format("{} {}", eval.streak, eval.streak == 1 ? "evaluation" : "evaluations");
  }

  const Selector selector_;
  const int64_t patience_;
  const double threshold_;
  Step last_eval_ = -1;  // Global, of the evaluation that goes on; -1: none does.
  Step last_eval_mode_step_ = 0;
  Mode last_eval_mode_ = Mode::kEval;
  LossChoice choice_;
  LossPairs<Sum> losses_;
};

}  // namespace

RuleEntry Overfit() {
  static constexpr Param kParams[] = {
      kLossRegex,
      {"start_step", ParamType::kInteger, "0", "First global step to check", 0},
      {"patience", ParamType::kInteger, "1", "Consecutive evaluations that must be too high", 1},
      {"ratio_threshold", ParamType::kNumber, "0.1",
       "Maximum excess of the mean EVAL loss, relative to the mean TRAIN loss"}};
  static constexpr Saves kSaves[] = {{"losses", ""}};
  static constexpr RuleSpec kSpec{
      "Overfit", "The model does worse on validation data than on training data.",
      "Stop earlier, or use more data, augmentation, weight decay, dropout or a smaller model. "
      "Check that both losses are comparable: regularization terms must not be in only one of "
      "them.",
      kParams, kSaves};
  return {&kSpec, Make<LossGap>};
}

}  // namespace warden::rules
