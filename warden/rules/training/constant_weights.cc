#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "warden/rules/finite_statistics.h"
#include "warden/rules/training/training_rules.h"
#include "warden/rules/training/training_state.h"

namespace warden::rules {
namespace {

constexpr std::array<std::string_view, 8> kLayerKinds = {
    "Linear", "Conv1d", "Conv2d", "Conv3d",
    "LSTM",   "GRU",    "RNN",    "NonDynamicallyQuantizableLinear"};
constexpr double kStuckSteps = 8;  // Of the optimizer.
constexpr double kUnsavedSteps = 6;

class Constant : public Rule {
 public:
  explicit Constant(const Params& /*params*/) {}

  std::vector<Selector> inputs() const override {
    auto inputs = TrainingState::Inputs();
    inputs.push_back({.collections = {"weights"}});
    return inputs;
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    state_.Read(step);
    if (!step.IsTraining()) return Status();
    for (TensorView* weight : step.Input(2)) Look(*weight);
    if (!state_.log().Last("optimizer_step")) return Status();  // The modules are not known yet.
    int64_t zero = 0;
    int64_t layers = 0;
    for (const auto& [name, seen] : weights_) {
      const bool layer = IsLayer(name);
      if (layer) ++layers;
      if (layer && seen.first_spread == 0 && seen.first_size == 0) ++zero;
      if (seen.first_spread != 0 || !IsTrainable(name)) continue;
      const bool same = layer && seen.first_size != 0;
      const bool stuck = (layer || state_.log().RankOf(name) > 1) && seen.first_size == 0 &&
                         !seen.moved && seen.zero_at >= kStuckSteps;
      if (!same && !stuck) continue;
      verdicts->FireRun(name, "",
                        {seen.first_size, 0,
                         same ? fmt::format("all weights were initialized with the same value "
                                            "({:.3g}), so all units learn the same",
                                            seen.first_size)
                              : "all weights were initialized with zero, and stay zero because no "
                                "gradient passes"});
    }
    CheckUnsaved(verdicts);
    if (layers >= 2 && 2 * zero > layers) {
      verdicts->FireRun("", "",
                        {static_cast<double>(zero), 0,
                         fmt::format("{} of {} layers were initialized with zeros, so that no "
                                     "gradient passes through them",
                                     zero, layers)});
    }
    verdicts->HealthyRun();
    return Status();
  }

 private:
  struct Seen {
    double first_spread = -1;  // Largest minus smallest at the first step.
    double first_size = 0;
    double zero_at = 0;  // The last optimizer step before which it was zero.
    bool moved = false;
  };

  // Parameters that are not saved as weights: the hook has looked at them.
  void CheckUnsaved(Verdicts* verdicts) const {
    if (state_.log().Last("optimizer_step").value_or(0) < kUnsavedSteps) return;
    std::vector<std::string> zero = state_.log().Names("still_zero");
    std::erase_if(zero, [this](const std::string& name) { return weights_.contains(name); });
    if (zero.empty()) return;
    verdicts->FireRun("", "",
                      {static_cast<double>(zero.size()), 0,
                       fmt::format("{} were initialized with zeros, and stay zero because no "
                                   "gradient passes",
                                   SomeOf(zero))});
  }

  void Look(TensorView& weight) {
    const auto found = weights_.find(weight.name());
    const bool is_new = found == weights_.end();
    if (!is_new && (found->second.first_spread != 0 || found->second.moved)) return;
    const auto largest = LargestMagnitude(weight);
    if (!largest) return;
    Seen& seen = is_new ? weights_[std::string(weight.name())] : found->second;
    if (is_new) {
      const auto variance = Variance(weight);
      seen.first_size = largest->value;
      // Rounding may leave a trace of spread.
      seen.first_spread =
          variance && variance->value > 1e-14 * largest->value * largest->value ? 1 : 0;
      if (!variance || IsSingle(weight, largest->value)) seen.first_spread = 1;
    }
    if (largest->value == 0) {
      seen.zero_at = state_.log().Last("optimizer_step").value_or(0);
    } else if (seen.first_size == 0) {
      seen.moved = true;
    }
  }

  // Whether it has one element, which is equal to nothing else.
  static bool IsSingle(TensorView& weight, double largest) {
    const auto norm = Norm(weight);
    return largest > 0 && norm && norm->value < 1.2 * largest;
  }

  bool IsTrainable(std::string_view weight) const {
    return !state_.log().ModuleOf(weight).empty() &&
           !state_.log().facts().value("frozen", Json::object()).contains(std::string(weight));
  }

  bool IsLayer(std::string_view weight) const {
    const std::string_view module = state_.log().ModuleOf(weight);
    return weight.find("weight") != weight.npos && IsTrainable(weight) &&
           std::find(kLayerKinds.begin(), kLayerKinds.end(), module) != kLayerKinds.end();
  }

  TrainingState state_;
  std::map<std::string, Seen, std::less<>> weights_;
};

}  // namespace

RuleEntry ConstantWeights() {
  static constexpr Saves kSaves[] = {{"weights", ""}, {"losses", ""}};
  static constexpr RuleSpec kSpec{
      "ConstantWeights",
      "All units of a layer start with the same weights, and learn the same.",
      "Initialize weights with random values, for example nn.init.kaiming_normal_ for ReLU or "
      "nn.init.xavier_uniform_ for tanh. Only biases and the last layer of a branch may be zero.",
      {},
      kSaves};
  return {&kSpec, Make<Constant>};
}

}  // namespace warden::rules
