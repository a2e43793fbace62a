#include <fmt/format.h>

#include <set>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/distance.h"
#include "warden/rules/finite_statistics.h"
#include "warden/rules/past_values.h"
#include "warden/rules/per_tensor.h"

namespace warden::rules {
namespace {

class UpdateRatio : public Rule {
 public:
  explicit UpdateRatio(const Params& params)
      : large_(params.Number("large_threshold")),
        small_(params.Number("small_threshold")),
        epsilon_(params.Number("epsilon")),
        evaluate_zero_(params.Switch("compat_zero")),
        evaluate_frozen_(params.Switch("compat_frozen")) {
    if (params.Has("num_steps")) num_steps_ = params.Integer("num_steps");
  }

  std::vector<Selector> inputs() const override {
    return {{.collections = {"weights"}}, {.collections = {"gradients"}}};
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    LearnGradients(step);
    seen_ = seen_ || !step.Input(0).empty();
    if (!seen_) verdicts->TooLittle("no weights were saved; save the collection weights");
    for (TensorView* weight : step.Input(0)) {
      if (!step.IsTraining()) {
        verdicts->Skip(*weight, kNotTraining);
      } else if (IsFrozen(*weight)) {
        verdicts->Skip(*weight,
                       "no gradient, while other weights have one (compat_frozen=True "
                       "checks them)");
      } else if (const trial::TensorValue* value = weight->Raw()) {
        PastValues* past = &past_.Of(*weight, step.mode());
        if (num_steps_) DropBefore(past, step.mode_step() - *num_steps_);
        EvaluateUpdate(*weight, *value, *past, verdicts);
        past->push_back({step.step(), step.mode_step(), *value});
        if (!num_steps_) KeepLast(past, 1);
      } else {
        verdicts->Skip(*weight, kNoRawValues);
      }
    }
    return Status();
  }

 private:
  static constexpr std::string_view kPrefix = "gradient/";

  void LearnGradients(const StepView& step) {
    for (const TensorView* gradient : step.Input(1)) {
      if (gradient->id() >= known_.size()) known_.resize(gradient->id() + 1);
      if (known_[gradient->id()] || !gradient->name().starts_with(kPrefix)) continue;
      known_[gradient->id()] = true;
      trained_.emplace(gradient->name().substr(kPrefix.size()));
    }
  }

  bool IsFrozen(const TensorView& weight) const {
    return !evaluate_frozen_ && !trained_.empty() && !trained_.contains(weight.name());
  }

  void EvaluateUpdate(TensorView& weight, const trial::TensorValue& value, const PastValues& past,
                      Verdicts* verdicts) const {
    if (past.empty()) {
      verdicts->TooLittle(
          num_steps_ ? fmt::format("needs 2 saved steps within {} steps, found 1", *num_steps_)
                     : "needs 2 steps, found 1");
      return;
    }
    verdicts->TooLittle("");
    const PastValue& before = past.front();
    if (before.value.shape != value.shape || before.value.dtype != value.dtype) {
      verdicts->Skip(weight, "shape or type changed since the previous step");
      return;
    }
    const Distance distance = DistanceBetween(value.ref(), before.value.ref());
    if (distance.places == 0) {
      verdicts->Skip(weight, kNothingFinite);
      return;
    }
    if (distance.before == 0 && !evaluate_zero_) {
      verdicts->Skip(weight, "all zeros at the previous step (compat_zero=True checks them)");
      return;
    }
    const double ratio = distance.change / (distance.before + epsilon_);
    const bool too_large = ratio > large_;
    if (!too_large && !(ratio < small_)) {
      verdicts->Healthy(weight);
      return;
    }
    const double threshold = too_large ? large_ : small_;
    verdicts->Fire(weight,
                   {ratio, threshold,
                    fmt::format("update ratio |w - w'| / |w'| {:.3g} since step {} is {} "
                                "{:g}",
                                ratio, before.step, too_large ? "above" : "below", threshold)});
  }

  std::optional<int64_t> num_steps_;
  const double large_;
  const double small_;
  const double epsilon_;
  const bool evaluate_zero_;
  const bool evaluate_frozen_;
  bool seen_ = false;                           // Any weight.
  PerTensor<PastValues> past_;                  // The step to compare with comes first.
  std::vector<bool> known_;                     // By the gradient's id.
  std::set<std::string, std::less<>> trained_;  // Weights of which a gradient was saved so far.
};

Result<std::unique_ptr<Rule>> MakeUpdateRatio(const Params& params) {
  if (params.Number("small_threshold") > params.Number("large_threshold")) {
    return params.Refuse(fmt::format("small_threshold is {}; expected at most large_threshold ({})",
                                     params.Text("small_threshold"),
                                     params.Text("large_threshold")));
  }
  return Make<UpdateRatio>(params);
}

}  // namespace

RuleEntry WeightUpdateRatio() {
  static constexpr Param kParams[] = {
      {"num_steps", ParamType::kInteger, "",
       "Compare with the oldest saved step within this many training steps (default: the previous "
       "saved step)",
       1},
      {"large_threshold", ParamType::kNumber, "10.0", "Maximum update ratio", 0},
      {"small_threshold", ParamType::kNumber, "1e-8", "Minimum update ratio", 0},
      {"epsilon", ParamType::kNumber, "1e-9", "Added to the norm in the denominator", 0},
      {"compat_zero", ParamType::kSwitch, "False", "Also check weights that were all zeros before"},
      {"compat_frozen", ParamType::kSwitch, "False",
       "Also check weights without a gradient while other weights have one"}};
  static constexpr Saves kSaves[] = {{"weights", "", true}};
  static constexpr RuleSpec kSpec{
      "WeightUpdateRatio", "A weight changes far too much or almost not at all from step to step.",
      "Too large: lower the learning rate, clip gradients, or use warmup. Too small: raise the "
      "learning rate, and check that the weight has a gradient and is passed to the optimizer.",
      kParams, kSaves};
  return {&kSpec, MakeUpdateRatio};
}

}  // namespace warden::rules
