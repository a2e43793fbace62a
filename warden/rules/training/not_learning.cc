#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "warden/base/json_members.h"
#include "warden/rules/running_window.h"
#include "warden/rules/training/training_rules.h"
#include "warden/rules/training/training_state.h"

namespace warden::rules {
namespace {

constexpr size_t kUpdateWindow = 40;
constexpr double kClipped = 100;      // Factor by which clipping makes gradients smaller.
constexpr double kTinyUpdate = 1e-4;  // Of the norm of a weight.
constexpr double kHugeUpdate = 0.3;
constexpr double kStoppedRate = 1e-4;  // Of the highest learning rate.
constexpr int64_t kStoppedSteps = 25;
constexpr double kHighDecay = 0.3;
constexpr double kHighShrink = 0.01;  // Share of each weight that decay takes at a step.
constexpr double kGuessShare = 0.25;
constexpr double kGuess = 0.04;  // Accuracy above that of guessing.
constexpr double kManyClasses = 10;
constexpr double kSlowlyFallen = 0.08;
constexpr int64_t kFewRounds = 10;
constexpr double kShortWay = 0.1;  // Of the way that all trees together can go.

// What keeps a training from learning.
struct Cause {
  std::string what;
  std::string advice;
  double value = 0;
  double threshold = 0;
};

class Stuck : public Rule {
 public:
  explicit Stuck(const Params& params)
      : steps_(params.Integer("steps")), share_(params.Number("share")) {}

  std::vector<Selector> inputs() const override { return TrainingState::Inputs(); }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    state_.Read(step);
    if (!step.IsTraining()) return Status();
    Remember();
    if (const auto cause = TooSlowTrees()) {
      verdicts->FireRun("", "", {cause->value, cause->threshold, cause->what, cause->advice});
      return Status();
    }
    if (state_.most_losses() < steps_) {
      verdicts->TooLittle(
          fmt::format("needs {} training losses, found {}", steps_, state_.most_losses()));
      return Status();
    }
    if (const auto cause = Find()) {
      verdicts->FireRun("", "", {cause->value, cause->threshold, cause->what, cause->advice});
    }
    verdicts->HealthyRun();
    return Status();
  }

 private:
  void Remember() {
    if (state_.is_new_phase()) {
      updates_ = clips_ = accuracies_ = guesses_ = rates_ = RunningWindow();
      peak_ = 0;
      stopped_ = 0;
      unit_inputs_ = 0;
    }
    const TrainingLog& log = state_.log();
    if (const auto update = log.Now("update_ratio")) updates_.Add(*update, kUpdateWindow);
    const auto norm = log.Now("gradient_norm_before_clipping");
    const auto limit = log.Now("clip_limit");
    if (norm && limit && *limit > 0 && std::isfinite(*norm))
      clips_.Add(*norm / *limit, kUpdateWindow);
    if (const auto accuracy = log.Now("accuracy")) {
      accuracies_.Add(*accuracy, kLooks);
      guesses_.Add(log.Now("label_share").value_or(1), kLooks);
    }
    if (const auto in_unit = log.Now("loss_input_in_unit_interval")) {
      unit_inputs_ = *in_unit > 0 ? unit_inputs_ + 1 : 0;
    }
    if (const auto rate = log.Now("learning_rate")) {
      rates_.Add(*rate, kUpdateWindow);
      peak_ = std::max(peak_, *rate);
      stopped_ = *rate < kStoppedRate * peak_ ? stopped_ + 1 : 0;
    }
  }

  // Each tree goes a share of the way that is left. If all that are planned go only a small part of
  // it, a few rounds without progress are enough.
  std::optional<Cause> TooSlowTrees() const {
    const TrainingLog& log = state_.log();
    const auto rounds = static_cast<double>(IntegerOf(MemberOf(log.facts(), "rounds")));
    const double rate = log.Last("learning_rate").value_or(0);
    if (log.Text("framework") != "xgboost" || rounds <= 0 || rate <= 0) return std::nullopt;
    const double way = rate * rounds;
    if (way > kShortWay || !state_.IsFlat(kShortWay, kFewRounds)) return std::nullopt;
    return Cause{
        fmt::format("the learning rate (eta) {:.3g} is too low: {:g} rounds go only {:.2g} "
                    "% of the way to the labels, and the loss hardly falls",
                    rate, rounds, 100 * way),
        "Raise eta; 0.05 to 0.3 is usual. With a small eta, more rounds are needed.", way,
        kShortWay};
  }

  std::optional<Cause> Find() const {
    const TrainingLog& log = state_.log();
    const double rate = log.Last("learning_rate").value_or(0);
    // A schedule that ends at zero is usual for the last steps alone.
    if (stopped_ >= kStoppedSteps && 4 * stopped_ > state_.steps() && !HasFallen(0.8)) {
      return Cause{fmt::format("the learning rate has fallen from {:.3g} to {:.3g}, and training "
                               "stands still: the scheduler ends too early",
                               peak_, rate),
                   "Check the scheduler: is step() called once per epoch or per batch, as it "
                   "expects? Check its total number of steps.",
                   rate, kStoppedRate * peak_};
    }
    if (const double decay = HighestDecay(); rate * decay >= kHighShrink) {
      return Cause{fmt::format("weight decay {:g} takes {:.2g} % of every weight at each step",
                               decay, 100 * rate * decay),
                   "Lower weight_decay; 0.01 is usual for AdamW, 1e-4 for SGD.", rate * decay,
                   kHighShrink};
    }
    if (!state_.IsFlat(kGuessShare, steps_)) return std::nullopt;
    const std::string flat = fmt::format("the loss has hardly fallen in {} steps", state_.steps());
    if (state_.IsFlat(share_, steps_)) {
      if (auto cause = WhyFlat(flat)) return cause;
    }
    // Of many classes, a model learns at first how frequent they are, and little else.
    const bool many = log.Last("classes").value_or(0) > kManyClasses;
    if (state_.most_losses() >= (many ? 4 : 2) * steps_ && accuracies_.size() >= kLooks &&
        !IsWorse() && !StillFalls() && guesses_.Median() < 0.95 &&
        accuracies_.Median() <= guesses_.Median() + kGuess) {
      return Cause{
          fmt::format("{}, and predictions are no better than guessing (accuracy {:.2g}): "
                      "labels may not belong to the inputs (shuffled labels), or the inputs "
                      "carry no information",
                      flat, accuracies_.Median()),
          "Check that inputs and labels stay in the same order, for example after "
          "shuffling. Look at a batch.",
          accuracies_.Median(), guesses_.Median() + kGuess};
    }
    return std::nullopt;
  }

  std::optional<Cause> WhyFlat(const std::string& flat) const {
    const TrainingLog& log = state_.log();
    const double rate = log.Last("learning_rate").value_or(0);
    if (clips_.size() >= 10 && clips_.Median() > kClipped) {
      return Cause{fmt::format("{}: clipping makes the gradients {:.3g} times smaller (limit {:g})",
                               flat, clips_.Median(), log.Last("clip_limit").value_or(0)),
                   "Raise max_norm; 1.0 is a usual value.", clips_.Median(), kClipped};
    }
    if (const double decay = HighestDecay(); decay >= kHighDecay) {
      return Cause{fmt::format("{}: weight decay {:g} pulls all weights to zero", flat, decay),
                   "Lower weight_decay; 0.01 is usual for AdamW, 1e-4 for SGD.", decay, kHighDecay};
    }
    if (const auto peak = EarlyPeak()) {
      return Cause{
          fmt::format("{}: it exploded in the first steps (to {:.3g}), the learning rate is "
                      "too high",
                      flat, *peak),
          "Lower the learning rate by a factor of 10 to 1000, or warm it up.", *peak, 0};
    }
    if (unit_inputs_ >= kLooks) {
      return Cause{
          fmt::format("{}: the loss function gets values between 0 and 1, as after softmax, "
                      "instead of logits{}",
                      flat, log.Line("loss_line")),
          "Pass the raw outputs of the last layer to the loss, without softmax. Check the "
          "dimension of a softmax that is wanted.",
          1, 0};
    }
    const double huge = std::max(updates_.size() >= 10 ? updates_.Median() : 0,
                                 state_.first_updates() > 1 ? state_.first_updates() : 0);
    if (huge > kHugeUpdate) {
      return Cause{
          fmt::format("{}: each update changes the weights by {:.2g} times their size "
                      "(learning rate {:.3g} is too high)",
                      flat, huge, rate),
          "Lower the learning rate until an update changes weights by about 0.001 of their "
          "size.",
          huge, kHugeUpdate};
    }
    const bool warms_up = rates_.size() >= 10 && rate > 1.05 * rates_.Median();
    if (updates_.size() >= 10 && updates_.Median() < kTinyUpdate && !warms_up) {
      return Cause{
          fmt::format("{}: each update changes the weights by only {:.2g} of their size "
                      "(learning rate {:.3g} is too low, or gradients are too small)",
                      flat, updates_.Median(), rate),
          "Raise the learning rate until an update changes weights by about 0.001 of their "
          "size. Check that the loss is not scaled down.",
          updates_.Median(), kTinyUpdate};
    }
    const bool loop_is_known = !log.worker().empty() && log.Text("framework") != "keras";
    if (!loop_is_known && state_.most_losses() >= 2 * steps_ && !IsNoisy()) {
      return Cause{
          flat +
              ": the learning rate may be too low, or labels may not belong to the inputs "
              "(shuffled)",
          "Try a learning rate 10 times higher and one 10 times lower. Look at a batch: do "
          "inputs and labels belong together?",
          0, 0};
    }
    return std::nullopt;
  }

  // Whether the loss is higher than at the start. With labels that do not belong to the inputs it
  // would stay there.
  bool IsWorse() const {
    return std::any_of(state_.losses().begin(), state_.losses().end(), [](const auto& loss) {
      return loss.second.initial() > 0 && loss.second.recent() > 1.3 * loss.second.initial();
    });
  }

  // Whether a loss falls slowly, but steadily: more than chance, and lately as well.
  bool StillFalls() const {
    return std::any_of(state_.losses().begin(), state_.losses().end(), [&](const auto& loss) {
      return loss.second.fallen() >= kSlowlyFallen && loss.second.since_progress() < steps_ / 2;
    });
  }

  bool IsNoisy() const {
    return std::any_of(state_.losses().begin(), state_.losses().end(), [](const auto& loss) {
      return loss.second.noise() > 0.3 * std::abs(loss.second.recent());
    });
  }

  // Of a loss that went far up at the start.
  std::optional<double> EarlyPeak() const {
    for (const auto& [name, curve] : state_.losses()) {
      if (curve.initial() > 0 && curve.early_peak() > 20 * curve.initial()) {
        return curve.early_peak();
      }
    }
    return std::nullopt;
  }

  bool HasFallen(double share) const {
    return std::any_of(state_.losses().begin(), state_.losses().end(),
                       [&](const auto& loss) { return loss.second.fallen() >= share; });
  }

  double HighestDecay() const {
    double highest = 0;
    const Json* optimizers = MemberOf(state_.log().facts(), "optimizers");
    if (optimizers == nullptr || !optimizers->is_array()) return 0;
    for (const Json& optimizer : *optimizers) {
      const Json* decay = MemberOf(optimizer, "weight_decay");
      if (decay != nullptr && decay->is_number()) highest = std::max(highest, decay->get<double>());
    }
    return highest;
  }

  static constexpr int64_t kLooks = 5;

  const int64_t steps_;
  const double share_;
  TrainingState state_;
  RunningWindow updates_;
  RunningWindow rates_;
  RunningWindow clips_;
  RunningWindow accuracies_;
  RunningWindow guesses_;
  double peak_ = 0;
  int64_t stopped_ = 0;
  int64_t unit_inputs_ = 0;  // Looks in a row at which the loss got values from 0 to 1.
};

}  // namespace

RuleEntry NotLearning() {
  static constexpr Param kParams[] = {
      {"steps", ParamType::kInteger, "80", "Training losses needed before the first check", 20},
      {"share", ParamType::kNumber, "0.15", "Share of its start by which a loss must have fallen",
       0, 1}};
  static constexpr Saves kSaves[] = {{"losses", ""}};
  static constexpr RuleSpec kSpec{
      "NotLearning", "The loss does not fall, and something explains it.",
      "Check the learning rate, the labels and the gradients.", kParams, kSaves};
  return {&kSpec, Make<Stuck>};
}

}  // namespace warden::rules
