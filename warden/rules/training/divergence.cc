#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "warden/base/json_members.h"
#include "warden/rules/finite_statistics.h"
#include "warden/rules/first_nan.h"
#include "warden/rules/loss_scaler.h"
#include "warden/rules/running_window.h"
#include "warden/rules/training/training_rules.h"
#include "warden/rules/training/training_state.h"

namespace warden::rules {
namespace {

constexpr size_t kUsualWindow = 30;
constexpr double kInputJump = 30;     // Times the usual largest input.
constexpr double kLossJump = 30;      // Times the usual loss, after such an input.
constexpr double kNormJump = 100;     // Times the usual gradient norm.
constexpr double kLargeUpdate = 0.1;  // Of the norm of a weight.
constexpr double kHugeFirstUpdate = 0.3;
constexpr int64_t kFirstSteps = 8;
constexpr double kFirstRise = 1.5;
constexpr double kClearRise = 3;
constexpr double kWorseThanGuess = 1.7;
constexpr int64_t kLateLosses = 60;
constexpr double kLateUpdates = 40;
constexpr double kEarlyPeak = 20;  // Times its start that a loss jumps.
constexpr double kRateRise = 5;
constexpr double kHugeLoss = 1e8;
constexpr double kFalls = 100;  // Times its start that a loss may be below zero.

// Functions whose results are never negative.
constexpr std::array<std::string_view, 6> kNotNegative = {
    "cross_entropy",       "nll_loss", "mse_loss", "l1_loss", "binary_cross_entropy_with_logits",
    "binary_cross_entropy"};

class Diverging : public Rule {
 public:
  explicit Diverging(const Params& params)
      : rise_(params.Number("rise")), patience_(params.Integer("patience")) {}

  std::vector<Selector> inputs() const override {
    auto inputs = TrainingState::Inputs();
    inputs.push_back({.collections = {"weights", "biases"}});
    inputs.push_back({.collections = {"gradients"}});
    return inputs;
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    state_.Read(step);
    scaler_.Read(step.Input(0));
    if (!step.IsTraining()) return Status();
    if (state_.is_new_phase()) StartOver();
    LookAtInput(step.step());
    if (!state_.broken().empty()) ++broken_;
    if (broken_ > 0 && cause_.empty()) cause_ = WhyBroken(step);
    if (broken_ > 0) {
      verdicts->FireRun("", "", {1, 0, cause_, advice_, confidence_});
    } else if (!CheckBatch(step, verdicts) && !CheckSize(step, verdicts) &&
               !CheckFirstSteps(verdicts)) {
      CheckRise(step, verdicts);
    }
    verdicts->HealthyRun();
    Remember(step);
    return Status();
  }

 private:
  void StartOver() {
    rising_ = 0;
    why_rising_.clear();
    rate_at_best_ = 0;
    why_early_.clear();
    updates_ = norms_ = inputs_ = RunningWindow();
    norm_ = 0;
  }

  void LookAtInput(Step step) {
    if (state_.log().Now("input_not_finite")) bad_input_at_ = step;
    const auto largest = state_.log().Now("input_largest");
    if (!largest || !std::isfinite(*largest)) return;
    if (inputs_.size() < 5 || *largest < kInputJump * inputs_.Median()) {
      inputs_.Add(*largest, kUsualWindow);
    } else {
      jump_ = *largest / std::max(inputs_.Median(), 1e-30);
      jump_at_ = step;
    }
  }

  void Remember(const StepView& step) {
    const TrainingLog& log = state_.log();
    if (const auto update = log.Now("update_ratio"); update && std::isfinite(*update)) {
      updates_.Add(*update, kUsualWindow);
    }
    if (const auto rate = log.Now("learning_rate"); rate && MakesProgress()) rate_at_best_ = *rate;
    if (scaler_.LeavesOut(step.Input(3))) return;
    double squares = 0;
    for (TensorView* gradient : step.Input(3)) {
      if (const auto found = Norm(*gradient)) {
        const double norm = found->value / scaler_.ScaleOf(gradient->worker());
        squares += norm * norm;
      }
    }
    if (squares > 0 && std::isfinite(squares)) {
      norm_ = std::sqrt(squares);
      norms_.Add(norm_, kUsualWindow);
    }
  }

  // A loss is not finite for the first time.
  std::string WhyBroken(const StepView& step) {
    const TrainingLog& log = state_.log();
    const std::string loss = fmt::format("the loss is NaN or infinite{}", log.Line("loss_line"));
    const FirstNan first = FirstNanOf(log.facts());
    const bool known = first.step >= 0 && first.step + 1 >= step.step();
    confidence_.reset();
    // A frozen encoder may have made the inputs of the model.
    if (bad_input_at_ == step.step() && (!known || first.phase == "input")) {
      advice_ = "Find the samples with NaN or infinite values, and clean or skip them.";
      confidence_ = Confidence::kHigh;
      return fmt::format(
          "the inputs of the model contain NaN or infinite values: {:g} of this "
          "batch; {}",
          log.Now("input_not_finite").value_or(1), loss);
    }
    if (const int64_t bad = IntegerOf(MemberOf(log.facts(), "data_not_finite")); bad > 0) {
      advice_ = "Find the samples with NaN or infinite values, and clean or skip them.";
      confidence_ = Confidence::kHigh;
      return fmt::format("the training data contains {} NaN or infinite values; {}", bad, loss);
    }
    const std::string where =
        known ? fmt::format("{}{}{}: {}", first.worker, first.worker.empty() ? "" : ", ",
                            first.tensor, first.what)
              : "";
    if (const auto growth = WhyGrowing(step); !growth.empty()) {
      return fmt::format("{}: {}{}{}", loss, growth, known ? "; first in " : "", where);
    }
    if (known) {
      confidence_ = first.confidence();
      advice_ =
          "Keep that operator away from zeros and large values: add a small epsilon, clamp its "
          "inputs, use a stable function (log_softmax, binary_cross_entropy_with_logits), or "
          "compute it in float32.";
      return fmt::format("{}; first in {}", loss, where);
    }
    for (TensorView* weight : step.Input(2)) {
      const auto bad = CountNonFinite(*weight);
      if (!bad || bad->nan + bad->inf == 0) continue;
      advice_ =
          "Gradients were not finite at the step before: check the loss for log(0), sqrt(0) "
          "and divisions, clip gradients, and lower the learning rate.";
      return fmt::format("{}: weights are not finite since the last update (first: {})", loss,
                         Short(weight->name()));
    }
    advice_ =
        "Check the loss and the last layers for log or sqrt of zero or negative values, and for "
        "divisions by zero: add a small epsilon, or use a stable function (log_softmax, "
        "binary_cross_entropy_with_logits).";
    return fmt::format(
        "{}, with finite inputs and weights: log(0), sqrt or a division by zero in "
        "the forward pass or the loss",
        loss);
  }

  // Why values have become too large, if something shows it.
  std::string WhyGrowing(const StepView& step) {
    const TrainingLog& log = state_.log();
    if (jump_at_ >= 0 && step.step() - jump_at_ <= 50) {
      advice_ =
          "Look at the batch of that step: outliers, wrong units, or a corrupt file. Clip or "
          "check inputs in the dataset.";
      return fmt::format(
          "a batch at step {} had inputs {:.2g} times larger than usual (corrupt "
          "data)",
          jump_at_, jump_);
    }
    const double rate = log.Last("learning_rate").value_or(0);
    if (const auto value = log.Last("backward_value");
        value && *value < 0 && IsNotNegative(log.Text("loss_function"))) {
      advice_ = "Check the sign: minimize the loss itself, not its negative.";
      return fmt::format(
          "the sign of the loss is wrong: backward runs on a negative value ({:.3g}), "
          "so training maximizes it{}",
          *value, log.Line("backward_line"));
    }
    if (rate_at_best_ > 0 && rate > kRateRise * rate_at_best_ && state_.steps() > 30) {
      advice_ = "Lower the peak of the learning rate schedule, or check that it falls again.";
      return fmt::format("the learning rate rose from {:.3g} to {:.3g}", rate_at_best_, rate);
    }
    if (Update() > kLargeUpdate) return WhyLargeUpdates();
    if (norms_.size() >= 5 && norm_ > kNormJump * norms_.Median()) {
      advice_ =
          "Clip gradients (torch.nn.utils.clip_grad_norm_), use a smaller initialization for "
          "recurrent weights, or lower the learning rate.";
      return fmt::format("gradients explode: their norm is {:.2g}, {:.2g} times the usual", norm_,
                         norm_ / norms_.Median());
    }
    return "";
  }

  double Update() const {
    return std::max(updates_.size() >= 2 ? updates_.Median() : 0,
                    state_.first_updates() > 1 ? state_.first_updates() : 0);
  }

  std::string WhyLargeUpdates() {
    const TrainingLog& log = state_.log();
    if (log.Text("loss_reduction") == "sum") {
      advice_ = "Use reduction='mean', or divide the learning rate by the batch size.";
      return fmt::format(
          "the loss is summed over the batch (reduction='sum'), which makes "
          "gradients and updates too large: {:.2g} of the weights per step",
          Update());
    }
    advice_ = "Lower the learning rate by a factor of 10 to 1000, or warm it up.";
    return fmt::format(
        "the learning rate {:.3g} is too high: each update changes the weights by "
        "{:.2g} of their size",
        log.Last("learning_rate").value_or(0), Update());
  }

  // Where a loss of classes starts is known from its first value; others may start near zero.
  double StartOf(const LossCurve& curve) const {
    const std::string function = state_.log().Text("loss_function");
    const bool classes = function.find("cross_entropy") != function.npos || function == "nll_loss";
    return classes && curve.initial() > 0 ? std::min(curve.first(), curve.initial())
                                          : curve.first();
  }

  // Of classes: it began like a guess, and is far above that.
  bool IsWorseThanGuessing(const LossCurve& curve) const {
    const double classes = state_.log().Last("classes").value_or(0);
    // Many trainings overshoot at first.
    const bool early = state_.log().Last("optimizer_step").value_or(kLateUpdates) < kLateUpdates;
    if (classes < 2 || curve.count() <= kLateLosses || early) return false;
    const double guess = std::log(classes);
    return curve.initial() > 0.7 * guess && curve.initial() < 1.5 * guess &&
           curve.recent() > kWorseThanGuess * guess && curve.last() > guess;
  }

  bool MakesProgress() const {
    return std::any_of(state_.losses().begin(), state_.losses().end(),
                       [](const auto& loss) { return loss.second.since_progress() == 0; });
  }

  static bool IsNotNegative(std::string_view function) {
    return std::find(kNotNegative.begin(), kNotNegative.end(), function) != kNotNegative.end();
  }

  // A batch that is far out of range, and hurts: its loss is, too. Whether it was reported.
  bool CheckBatch(const StepView& step, Verdicts* verdicts) {
    if (jump_at_ != step.step()) return false;
    const auto hurt =
        std::find_if(state_.losses().begin(), state_.losses().end(), [](const auto& loss) {
          const LossCurve& curve = loss.second;
          return curve.count() > kFirstSteps && curve.recent() > 0 &&
                 curve.last() > kLossJump * curve.recent();
        });
    if (hurt == state_.losses().end()) return false;
    const std::string why = WhyGrowing(step);
    verdicts->FireRun("", "",
                      {hurt->second.last() / hurt->second.recent(), kLossJump,
                       fmt::format("the loss jumps from {:.3g} to {:.3g}: {}",
                                   hurt->second.recent(), hurt->second.last(), why),
                       advice_});
    return true;
  }

  // Losses so far from zero that nothing can be learned from them. Whether one was reported.
  bool CheckSize(const StepView& step, Verdicts* verdicts) {
    for (const auto& [name, curve] : state_.losses()) {
      if (curve.count() < 8) continue;
      if (curve.recent() > kHugeLoss) {
        if (why_huge_.empty()) {
          advice_ =
              "Scale inputs and targets to a deviation of 1, clip gradients, and check the "
              "initialization of recurrent layers.";
          why_huge_ = WhyGrowing(step);
          if (why_huge_.empty()) {
            why_huge_ = "activations explode, or inputs and targets are not normalized";
          }
        }
        verdicts->FireRun(
            "", "",
            {curve.recent(), kHugeLoss,
             fmt::format("the loss is extremely large ({:.3g}): {}", curve.recent(), why_huge_),
             advice_});
        return true;
      }
      if (curve.recent() < -kFalls * std::max(std::abs(curve.first()), 1.0)) {
        verdicts->FireRun(
            "", "",
            {curve.recent(), -kFalls,
             fmt::format("the loss falls without bound ({:.3g}): its sign is wrong, or a "
                         "term is missing that keeps it from below",
                         curve.recent()),
             "Check the sign of each term of the loss: minimize the negative log "
             "likelihood, not the likelihood."});
        return true;
      }
    }
    return false;
  }

  // Whether the first updates have replaced the weights, and the loss is worse than before them: no
  // need to wait for more.
  bool CheckFirstSteps(Verdicts* verdicts) {
    if (why_early_.empty()) {
      const bool replaced = updates_.size() >= kFirstSteps && updates_.Median() >= kHugeFirstUpdate;
      if (state_.steps() > 4 * kFirstSteps || (!replaced && state_.first_updates() < 1)) {
        return false;
      }
      const auto worse =
          std::find_if(state_.losses().begin(), state_.losses().end(), [&](const auto& loss) {
            const LossCurve& curve = loss.second;
            // A single weight that was replaced needs a loss that has jumped, and a first loss is a
            // single value.
            const bool jumped = curve.early_peak() > kEarlyPeak * curve.initial();
            const bool rose = curve.recent() > kClearRise * curve.initial() &&
                              curve.recent() - curve.initial() > 3 * curve.noise();
            return (jumped || (replaced && rose)) && curve.count() >= kFirstSteps &&
                   curve.initial() > 0 && curve.recent() > kFirstRise * curve.initial() &&
                   curve.last() > curve.initial();
          });
      if (worse == state_.losses().end()) return false;
      early_ = worse->second.recent() / worse->second.initial();
      why_early_ = fmt::format("training diverges: the loss {:.3g} is {:.2g} times its start; {}",
                               worse->second.recent(), early_, WhyLargeUpdates());
    }
    verdicts->FireRun("", "", {early_, kFirstRise, why_early_, advice_});
    return true;
  }

  void CheckRise(const StepView& step, Verdicts* verdicts) {
    const bool rises =
        std::any_of(state_.losses().begin(), state_.losses().end(), [&](const auto& loss) {
          const LossCurve& curve = loss.second;
          const double start = StartOf(curve);
          if (IsWorseThanGuessing(curve)) return true;
          // A single first value says less than the median of several.
          if (start > 0 && start < 0.5 * curve.first())
            return curve.count() > 30 && curve.recent() > 10 * rise_ * start;
          return curve.count() > 10 && start > 0 && curve.recent() > rise_ * start &&
                 curve.recent() > 2 * rise_ * curve.lowest() - curve.noise() &&
                 curve.last() > start;
        });
    rising_ = rises ? rising_ + 1 : 0;
    if (rising_ < patience_) return;
    if (why_rising_.empty()) {
      why_rising_ = WhyGrowing(step);
      if (why_rising_.empty()) {
        why_rising_ = "no single cause shows";
        confidence_ = Confidence::kLow;
        advice_ =
            "Lower the learning rate, clip gradients, and look at the batches before the rise.";
      }
    }
    const auto rise_of = [this](const LossCurve& curve) {
      return StartOf(curve) > 0 ? curve.recent() / StartOf(curve) : 0;
    };
    const LossCurve& worst = std::max_element(state_.losses().begin(), state_.losses().end(),
                                              [&](const auto& a, const auto& b) {
                                                return rise_of(a.second) < rise_of(b.second);
                                              })
                                 ->second;
    verdicts->FireRun(
        "", "",
        {worst.recent() / worst.first(), rise_,
         fmt::format("training diverges: the loss {:.3g} is {:.2g} times its start; {}",
                     worst.recent(), worst.recent() / StartOf(worst), why_rising_),
         advice_, confidence_});
  }

  const double rise_;
  const int64_t patience_;
  TrainingState state_;
  LossScaler scaler_;
  RunningWindow updates_;
  RunningWindow inputs_;
  RunningWindow norms_;
  double norm_ = 0;
  double rate_at_best_ = 0;  // The learning rate when a loss last reached a new low.
  double jump_ = 0;
  Step jump_at_ = -1;
  Step bad_input_at_ = -1;
  int64_t broken_ = 0;
  int64_t rising_ = 0;
  std::string cause_;
  std::string why_rising_;
  std::string why_huge_;
  std::string why_early_;
  double early_ = 0;
  std::string advice_;
  std::optional<Confidence> confidence_;
};

}  // namespace

RuleEntry Divergence() {
  static constexpr Param kParams[] = {
      {"rise", ParamType::kNumber, "4", "Times its start that a loss must reach", 1},
      {"patience", ParamType::kInteger, "5", "Steps in a row that it must stay there", 1}};
  static constexpr Saves kSaves[] = {{"losses", ""}, {"weights", ""}, {"gradients", ""}};
  static constexpr RuleSpec kSpec{
      "Divergence", "The loss rises far above where it started, or is not finite.",
      "Lower the learning rate, clip gradients, and check the data.", kParams, kSaves};
  return {&kSpec, Make<Diverging>};
}

}  // namespace warden::rules
