#include <fmt/format.h>

#include <cmath>

#include "warden/rules/running_window.h"
#include "warden/rules/training/training_rules.h"
#include "warden/rules/training/training_state.h"

namespace warden::rules {
namespace {

constexpr double kSame = 0.985;
constexpr double kSlack = 0.01;
constexpr double kUnrelated = 0.05;  // Correlation of predictions and targets.
constexpr int64_t kStanding = 60;    // Losses without progress.

class Collapsed : public Rule {
 public:
  explicit Collapsed(const Params& params) : looks_(params.Integer("looks")) {}

  std::vector<Selector> inputs() const override { return TrainingState::Inputs(); }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    state_.Read(step);
    if (!step.IsTraining()) return Status();
    if (state_.is_new_phase()) {
      same_ = 0;
      mixed_ = false;
    }
    const auto predicted = state_.log().Now("predicted_share");
    const auto labels = state_.log().Now("label_share");
    if (predicted && labels) {
      mixed_ |= *labels < 1;
      same_ = *predicted >= kSame && *predicted > *labels - kSlack ? same_ + 1 : 0;
      labels_.Add(*labels, 20);
    }
    if (same_ >= looks_ && mixed_ && Stands()) {
      verdicts->FireRun(
          "", "",
          {static_cast<double>(same_), static_cast<double>(looks_),
           labels_.Median() > 0.6
               ? fmt::format("every sample is predicted as the same class: classes are imbalanced "
                             "({:.0f} % of the labels are one class)",
                             100 * labels_.Median())
               : "every sample is predicted as the same class, although the labels differ: the "
                 "model ignores its inputs"});
    }
    CheckValues(verdicts);
    verdicts->HealthyRun();
    return Status();
  }

 private:
  // Of values instead of classes.
  void CheckValues(Verdicts* verdicts) {
    if (state_.is_new_phase()) unrelated_ = 0;
    if (const auto correlation = state_.log().Now("prediction_correlation")) {
      unrelated_ = std::abs(*correlation) < kUnrelated ? unrelated_ + 1 : 0;
      correlation_ = *correlation;
    }
    if (unrelated_ < looks_ || !Stands()) return;
    verdicts->FireRun(
        "", "",
        {correlation_, kUnrelated,
         fmt::format(
             "predictions have collapsed: how they differ between samples has nothing to do "
             "with the targets (correlation {:.2f}), so the model ignores its inputs",
             correlation_),
         "Compare the terms of the loss: one that is summed (KL) outweighs one that is averaged "
         "over all values (reduction='mean'). Check that inputs and targets belong together."});
  }

  bool Stands() const {
    for (const auto& [name, curve] : state_.losses()) {
      if (curve.count() >= kStanding && curve.since_progress() >= kStanding / 2) return true;
    }
    return false;
  }

  const int64_t looks_;
  TrainingState state_;
  int64_t same_ = 0;
  bool mixed_ = false;  // There are labels of more than one class.
  RunningWindow labels_;
  int64_t unrelated_ = 0;  // Looks in a row at predictions that do not follow their targets.
  double correlation_ = 0;
};

}  // namespace

RuleEntry CollapsedPredictions() {
  static constexpr Param kParams[] = {
      {"looks", ParamType::kInteger, "9", "Looks in a row; there is one every 20 steps", 1}};
  static constexpr Saves kSaves[] = {{"losses", ""}};
  static constexpr RuleSpec kSpec{
      "CollapsedPredictions", "Every sample is predicted as the same class.",
      "Weight the classes in the loss, or sample rare classes more often. If classes are balanced, "
      "check the inputs, the learning rate and the last layer.",
      kParams, kSaves};
  return {&kSpec, Make<Collapsed>};
}

}  // namespace warden::rules
