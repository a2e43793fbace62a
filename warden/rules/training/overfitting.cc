#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "warden/rules/finite_statistics.h"
#include "warden/rules/loss_place.h"
#include "warden/rules/training/training_rules.h"
#include "warden/rules/training/training_state.h"

namespace warden::rules {
namespace {

class Overfits : public Rule {
 public:
  explicit Overfits(const Params& params)
      : rise_(params.Number("rise")), rounds_(params.Integer("rounds")) {}

  std::vector<Selector> inputs() const override { return TrainingState::Inputs(); }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    state_.Read(step);
    if (state_.is_new_phase()) losses_.clear();
    for (TensorView* tensor : step.Input(1)) {
      const auto place = PlaceOf(tensor->name(), step.mode());
      if (!place || RisesWhenBetter(tensor->name())) continue;
      const auto loss = Mean(*tensor);
      if (!loss) continue;
      Loss& known = losses_[std::string(place->pair)];
      if (place->mode == Mode::kEval) {
        known.sum += loss->value;
        ++known.in_round;
        // XGBoost saves both in one step: each is a round.
        if (step.mode() == Mode::kGlobal) EndRound(&known);
      } else {
        known.train.Add(loss->value);
        if (known.in_round > 0) EndRound(&known);
      }
    }
    // Losses without gradients between steps of training: a copy of the model was evaluated.
    for (const auto& [name, loss] : state_.log().NowIn("evaluation_loss")) {
      Loss& known = losses_[std::string(name)];
      known.sum += loss;
      ++known.in_round;
    }
    if (!step.IsTraining()) return Status();
    last_step_ = step.step();
    last_mode_ = step.mode();
    for (const auto& [name, loss] : losses_) Tell(name, loss, verdicts);
    verdicts->HealthyRun();
    return Status();
  }

  // The last evaluation has no training step after it.
  void End(Verdicts* verdicts) override {
    verdicts->About(last_step_, last_mode_);
    for (auto& [name, loss] : losses_) {
      if (loss.in_round > 0) EndRound(&loss);
      Tell(name, loss, verdicts);
    }
  }

 private:
  struct Loss {
    LossCurve train;
    double sum = 0;        // Of the evaluation under way.
    int64_t in_round = 0;  // Losses of it.
    int64_t rounds = 0;
    double last = 0;  // Mean loss of the last evaluation.
    double best = 0;
    double train_at_best = 0;
    int64_t worse = 0;  // Evaluations in a row that were worse by the limit.
    int64_t apart = 0;  // Evaluations in a row that show no progress, while training does.
  };

  void EndRound(Loss* loss) const {
    loss->last = loss->sum / static_cast<double>(loss->in_round);
    loss->sum = 0;
    loss->in_round = 0;
    ++loss->rounds;
    if (loss->rounds == 1 || loss->last < loss->best) {
      loss->best = loss->last;
      loss->train_at_best = loss->train.recent();
    }
    // Far above where training started it is something else, such as normalization in eval mode.
    const bool worse = loss->best > 0 && loss->last > rise_ * loss->best &&
                       loss->train.recent() < 0.7 * loss->train_at_best &&
                       loss->last < 5 * Start(*loss);
    loss->worse = worse ? loss->worse + 1 : 0;
    const bool apart = loss->last > 0 && loss->last > 0.9 * Start(*loss) &&
                       loss->last < 5 * Start(*loss) && loss->train.recent() < 0.1 * Start(*loss);
    loss->apart = apart ? loss->apart + 1 : 0;
  }

  static double Start(const Loss& loss) {
    return std::max(loss.train.first(), loss.train.initial());
  }

  void Tell(std::string_view name, const Loss& loss, Verdicts* verdicts) const {
    if (loss.worse < rounds_ && loss.apart >= rounds_) {
      verdicts->FireRun(
          name, "",
          {loss.last, 0.9 * Start(loss),
           fmt::format("the model only memorizes the training data: the training loss "
                       "fell to {:.3g}, but the validation loss {:.3g} is no better than "
                       "at the start",
                       loss.train.recent(), loss.last),
           "Check that training and validation data come from the same source, and "
           "that the training data is varied (not the same batch or sample)."});
    }
    if (loss.worse < rounds_) return;
    verdicts->FireRun(
        name, "",
        {loss.last / loss.best, rise_,
         fmt::format("the model overfits: the validation loss has risen from {:.3g} to "
                     "{:.3g} while the training loss fell to {:.3g}",
                     loss.best, loss.last, loss.train.recent())});
  }

  const double rise_;
  const int64_t rounds_;
  TrainingState state_;
  Step last_step_ = 0;  // Of training.
  Mode last_mode_ = Mode::kTrain;
  std::map<std::string, Loss, std::less<>> losses_;
};

}  // namespace

RuleEntry Overfitting() {
  static constexpr Param kParams[] = {
      {"rise", ParamType::kNumber, "1.2", "Times its best that the validation loss must reach", 1},
      {"rounds", ParamType::kInteger, "3", "Evaluations in a row that must be worse", 1}};
  static constexpr Saves kSaves[] = {{"losses", ""}};
  static constexpr RuleSpec kSpec{"Overfitting",
                                  "The validation loss rises while the training loss falls.",
                                  "Stop earlier and keep the best checkpoint. Use more data, "
                                  "augmentation, dropout, weight decay "
                                  "or a smaller model.",
                                  kParams,
                                  kSaves,
                                  RuleKind::kDebug,
                                  Severity::kWarning};
  return {&kSpec, Make<Overfits>};
}

}  // namespace warden::rules
