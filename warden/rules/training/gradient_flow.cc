#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "warden/rules/finite_statistics.h"
#include "warden/rules/loss_scaler.h"
#include "warden/rules/running_window.h"
#include "warden/rules/training/training_rules.h"
#include "warden/rules/training/training_state.h"

namespace warden::rules {
namespace {

constexpr size_t kGradientWindow = 20;
constexpr int64_t kLeastGradients = 3;
constexpr size_t kLeastLayers = 4;
constexpr size_t kMostShown = 5;
constexpr double kLost = 1e-10;
constexpr int64_t kSureGradients = 7;
constexpr std::string_view kGradientPrefix = "gradient/";

class Flow : public Rule {
 public:
  explicit Flow(const Params& params)
      : ratio_(params.Number("ratio")), steps_(params.Integer("steps")) {}

  std::vector<Selector> inputs() const override {
    auto inputs = TrainingState::Inputs();
    inputs.push_back({.collections = {"gradients"}});
    return inputs;
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    state_.Read(step);
    scaler_.Read(step.Input(0));
    if (!step.IsTraining()) return Status();
    positions_.clear();
    if (state_.is_new_phase()) gradients_.clear();
    if (!scaler_.LeavesOut(step.Input(2))) AddGradients(step.Input(2));
    if (state_.log().facts_are_new()) Order();
    if (state_.log().facts().empty() && !positions_.empty()) OrderAsSaved();
    Compare(verdicts, state_.IsFlat(0.15, steps_));
    verdicts->HealthyRun();
    return Status();
  }

 private:
  void AddGradients(const StepView::Tensors& gradients) {
    for (TensorView* gradient : gradients) {
      if (gradient->name().find("bias") != std::string_view::npos) continue;
      const auto mean = MeanOfMagnitudes(*gradient);
      if (!mean) continue;
      gradients_[std::string(gradient->name())].Add(
          mean->value / scaler_.ScaleOf(gradient->worker()), kGradientWindow);
      positions_[gradient->position()] = gradient->name();
    }
  }

  // The weights of layers, in the order of the model.
  void Order() {
    order_.clear();
    const Json parameters = state_.log().facts().value("parameters", Json::array());
    for (const Json& row : parameters) {
      if (!row.is_array() || row.size() < 2 || !row[0].is_string()) continue;
      const std::string name = row[0].get<std::string>();
      const std::string_view kind = state_.log().ModuleOf(name);
      const bool layer = kind == "Linear" || kind.starts_with("Conv") || kind == "LSTM" ||
                         kind == "GRU" || kind == "RNN";
      if (layer && name.find("weight") != name.npos)
        order_.push_back(std::string(kGradientPrefix) + name);
    }
  }

  // Hooks save gradients in the order of the model or of its backward pass; the smaller end is the
  // first layer, if gradients fade at all.
  void OrderAsSaved() {
    order_.clear();
    for (const auto& [position, name] : positions_) order_.emplace_back(name);
    if (order_.size() < kLeastLayers) return;
    if (gradients_.find(order_.front())->second.Median() >
        gradients_.find(order_.back())->second.Median()) {
      std::reverse(order_.begin(), order_.end());
    }
  }

  void Compare(Verdicts* verdicts, bool flat) {
    std::vector<std::pair<std::string_view, double>> levels;
    for (const std::string& name : order_) {
      const auto found = gradients_.find(name);
      if (found == gradients_.end() || found->second.size() < kLeastGradients) continue;
      levels.emplace_back(name, found->second.Median());
    }
    if (levels.size() < kLeastLayers) return;
    const double last = std::max(levels.back().second, levels[levels.size() - 2].second);
    const auto& [first_name, first] = levels.front();
    const double second = levels[1].second;
    const double larger = std::max(first, second);
    if (last <= 0 || larger > ratio_ * last) return;
    // So small that no optimizer can do anything with them.
    const bool lost = larger < kLost && larger < kLost * last &&
                      gradients_.find(first_name)->second.size() >= kSureGradients;
    if (!flat && !lost) return;
    verdicts->FireRun(
        first_name.substr(9), "",
        {.value = first / last,
         .threshold = ratio_,
         .what = fmt::format("gradients vanish on their way back: those of the first layer are "
                             "{:.2g} of those of the last ({:.2g} and {:.2g}){}",
                             first / last, first, last, flat ? ", and the loss does not fall" : ""),
         .spread = WayBack(levels)});
  }

  // Layers from the last to the first, with their gradients; of many, some.
  static std::vector<std::string> WayBack(
      const std::vector<std::pair<std::string_view, double>>& levels) {
    std::vector<std::string> way;
    const size_t shown = std::min(levels.size(), kMostShown);
    for (size_t i = 0; i < shown; ++i) {
      const auto& [name, level] = levels[(levels.size() - 1) * (shown - 1 - i) / (shown - 1)];
      const std::string_view weight = name.substr(kGradientPrefix.size());
      way.push_back(fmt::format("{} {:.2g}", weight.substr(0, weight.rfind('.')), level));
    }
    return way;
  }

  const double ratio_;
  const int64_t steps_;
  TrainingState state_;
  LossScaler scaler_;
  std::map<std::string, RunningWindow, std::less<>> gradients_;
  std::map<uint64_t, std::string_view> positions_;  // Of the gradients of this step.
  std::vector<std::string> order_;
};

}  // namespace

RuleEntry GradientFlow() {
  static constexpr Param kParams[] = {
      {"ratio", ParamType::kNumber, "1e-3",
       "Least mean gradient of the first layer, as a share of that of the last", 0, 1},
      {"steps", ParamType::kInteger, "60", "Training losses needed before the first check", 1}};
  static constexpr Saves kSaves[] = {{"gradients", ""}, {"losses", ""}};
  static constexpr RuleSpec kSpec{
      "GradientFlow", "Gradients fade on their way to the first layers, which do not learn.",
      "Use ReLU-like activations instead of sigmoid or tanh, add normalization layers or skip "
      "connections, and an initialization that fits the activation.",
      kParams, kSaves};
  return {&kSpec, Make<Flow>};
}

}  // namespace warden::rules
