#include <fmt/format.h>

#include <map>

#include "warden/rules/training/training_rules.h"
#include "warden/rules/training/training_state.h"

namespace warden::rules {
namespace {

// What the two rules of this file look for in the inputs of layers.
struct Symptom {
  std::string_view group;  // Of numbers in the training log: shares of 0 to 1 by layer.
  std::string_view what;
  double certain;  // From this share on it is a problem even if the loss falls.
};

constexpr Symptom kDead = {"dead_inputs", "of the units before it are always zero (dead)", 1.0};
constexpr Symptom kSaturated = {"saturated_inputs",
                                "of the units before it are saturated (at the ends of tanh or "
                                "sigmoid)",
                                0.95};

// What was initialized with zeros may need some updates to come to life. Where updates are not
// known, steps are counted.
constexpr double kAwakeUpdates = 4;
constexpr int64_t kAwakeSteps = 20;

class DeadUnitsRule : public Rule {
 public:
  DeadUnitsRule(const Params& params, const Symptom& symptom)
      : symptom_(symptom), share_(params.Number("share")), looks_(params.Integer("looks")) {}

  std::vector<Selector> inputs() const override { return TrainingState::Inputs(); }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    state_.Read(step);
    if (!step.IsTraining()) return Status();
    if (state_.is_new_phase()) {
      layers_.clear();
      updates_before_ = state_.log().Last("optimizer_step").value_or(0);
    }
    for (const auto& [layer, share] : state_.log().NowIn(symptom_.group)) {
      Layer& known = layers_[std::string(layer)];
      if (known.first < 0) known.first = share;
      known.share = share;
      known.looks = share >= share_ ? known.looks + 1 : 0;
      known.certain = share >= symptom_.certain && IsUnderWay() ? known.certain + 1 : 0;
    }
    for (const auto& [name, layer] : layers_) {
      const bool hurts = state_.IsFlat(0.15, 50) && layer.looks >= looks_;
      if (!hurts && layer.certain < looks_) continue;
      verdicts->FireRun(
          name, "",
          {layer.share, share_,
           fmt::format("{:.0f} % {}{}", 100 * layer.share, symptom_.what, Why(layer))});
    }
    verdicts->HealthyRun();
    return Status();
  }

 private:
  struct Layer {
    double first = -1;  // Share at the first look.
    double share = 0;
    int64_t looks = 0;    // In a row above the limit.
    int64_t certain = 0;  // In a row above the certain limit.
  };

  bool IsUnderWay() const {
    const auto updates = state_.log().Last("optimizer_step");
    return updates ? *updates - updates_before_ >= kAwakeUpdates : state_.steps() > kAwakeSteps;
  }

  // Units that were alive at first were driven there.
  std::string Why(const Layer& layer) const {
    if (layer.first > share_ / 2 || state_.first_updates() < 0.5) return "";
    return fmt::format(
        ": the learning rate {:.3g} is too high, the first updates changed weights by {:.2g} times "
        "their size",
        state_.log().Last("learning_rate").value_or(0), state_.first_updates());
  }

  const Symptom symptom_;
  const double share_;
  const int64_t looks_;
  TrainingState state_;
  double updates_before_ = 0;  // Optimizer steps before this phase.
  std::map<std::string, Layer> layers_;
};

constexpr Param kUnitParams[] = {
    {"share", ParamType::kNumber, "0.85", "Share of units that must have the problem", 0, 1},
    {"looks", ParamType::kInteger, "3", "Looks in a row; there is one every 20 steps", 1}};
constexpr Saves kUnitSaves[] = {{"losses", ""}};

}  // namespace

RuleEntry DeadUnits() {
  static constexpr RuleSpec kSpec{
      "DeadUnits", "Most units of a layer are always zero, and the loss does not fall.",
      "Lower the learning rate, use an initialization that fits ReLU (He), check biases that are "
      "far "
      "below zero, or use LeakyReLU.",
      kUnitParams, kUnitSaves};
  return {&kSpec, [](const Params& params) -> Result<std::unique_ptr<Rule>> {
            return std::unique_ptr<Rule>(std::make_unique<DeadUnitsRule>(params, kDead));
          }};
}

RuleEntry SaturatedUnits() {
  static constexpr RuleSpec kSpec{
      "SaturatedUnits",
      "Most units of a layer are at the ends of their range, and the loss does not fall.",
      "Use a smaller initialization (Xavier) or learning rate, normalize inputs, or add "
      "normalization layers.",
      kUnitParams, kUnitSaves};
  return {&kSpec, [](const Params& params) -> Result<std::unique_ptr<Rule>> {
            return std::unique_ptr<Rule>(std::make_unique<DeadUnitsRule>(params, kSaturated));
          }};
}

}  // namespace warden::rules
