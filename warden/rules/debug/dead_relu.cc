#include <fmt/format.h>

#include <limits>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"
#include "warden/rules/per_tensor.h"
#include "warden/rules/units.h"

namespace warden::rules {
namespace {

// How active one unit has been so far.
struct Activity {
  double sum = 0;    // Of its percentages, step by step.
  double steps = 0;  // At which it had finite values.
};

class Dead : public Rule {
 public:
  explicit Dead(const Params& params)
      : patterns_(params.List("tensor_regex")),
        inactivity_(params.Number("threshold_inactivity")),
        layer_(params.Number("threshold_layer")) {}

  std::vector<Selector> inputs() const override {
    if (!patterns_.empty()) return {{.patterns = patterns_}};
    return {{.patterns = {".*relu_output", ".*ReLU_output"}, .roles = {"relu_output"}}};
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    for (TensorView* tensor : step.Input(0)) {
      const trial::TensorValue* value = tensor->Raw();
      if (value == nullptr) {
        verdicts->Skip(*tensor, kNoRawValues);
      } else {
        EvaluateLayer(*tensor, *value, &units_.Of(*tensor, step.mode()), verdicts);
      }
    }
    return Status();
  }

 private:
  void EvaluateLayer(TensorView& tensor, const trial::TensorValue& value,
                     std::vector<Activity>* units, Verdicts* verdicts) const {
    const auto counts = CountInside(value.ref(), UnitsOfActivation(value.shape), 0,
                                    std::numeric_limits<double>::infinity());
    if (units->size() != counts.size()) units->assign(counts.size(), Activity());
    bool any_finite = false;
    int64_t known = 0;
    int64_t dead = 0;
    for (size_t i = 0; i < counts.size(); ++i) {
      Activity& unit = (*units)[i];
      if (counts[i].finite > 0) {
        any_finite = true;
        unit.sum += counts[i].percent();
        unit.steps += 1;
      }
      if (unit.steps == 0) continue;
      ++known;
      if (unit.sum / unit.steps < inactivity_) ++dead;
    }
    if (!any_finite) {
      verdicts->Skip(tensor, WhyNoStatistic(tensor));
      return;
    }
    const double percent = 100.0 * static_cast<double>(dead) / static_cast<double>(known);
    if (!(percent > layer_)) {
      verdicts->Healthy(tensor);
      return;
    }
    verdicts->Fire(tensor, {percent, layer_,
                            fmt::format("{} of {} units are dead ({:.4g} %, threshold {:g} %): "
                                        "above zero in less than {:g} % of their values",
                                        dead, known, percent, layer_, inactivity_)});
  }

  const std::vector<std::string> patterns_;
  const double inactivity_;
  const double layer_;
  PerTensor<std::vector<Activity>> units_;
};

}  // namespace

RuleEntry DeadRelu() {
  static constexpr Param kParams[] = {
      kTensorRegex,
      {"threshold_inactivity", ParamType::kNumber, "1.0",
       "A unit is dead if less than this percentage of its values is above zero", 0, 100},
      {"threshold_layer", ParamType::kNumber, "50.0", "Maximum percentage of dead units in a layer",
       0, 100}};
  static constexpr Saves kSaves[] = {{"relu_output", ".*relu_output|.*ReLU_output", true}};
  static constexpr RuleSpec kSpec{
      "DeadRelu", "Most units of a ReLU layer are dead: they always output zero and learn nothing.",
      "Lower the learning rate. Initialize biases slightly above zero, add a normalization layer "
      "before the activation, or switch to LeakyReLU or GELU.",
      kParams, kSaves};
  return {&kSpec, Make<Dead>};
}

}  // namespace warden::rules
