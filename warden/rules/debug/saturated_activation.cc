#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "warden/base/strings.h"
#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"
#include "warden/rules/units.h"

namespace warden::rules {
namespace {

// An activation that saturates, and the inputs within which it does not.
struct Kind {
  std::string_view name;
  std::string_view role;
  double min = 0;
  double max = 0;
};

class Saturated : public Rule {
 public:
  explicit Saturated(const Params& params)
      : selector_(SelectorFrom(params, {.patterns = {".*tanh_input", ".*sigmoid_input",
                                                     ".*Tanh_input", ".*Sigmoid_input"},
                                        .roles = {"tanh_input", "sigmoid_input"}})),
        tanh_{"tanh", "tanh_input", params.Number("threshold_tanh_min"),
              params.Number("threshold_tanh_max")},
        sigmoid_{"sigmoid", "sigmoid_input", params.Number("threshold_sigmoid_min"),
                 params.Number("threshold_sigmoid_max")},
        inactivity_(params.Number("threshold_inactivity")),
        layer_(params.Number("threshold_layer")) {
    const bool tanh = params.Given("threshold_tanh_min") || params.Given("threshold_tanh_max");
    const bool sigmoid =
        params.Given("threshold_sigmoid_min") || params.Given("threshold_sigmoid_max");
    if (tanh != sigmoid) only_ = tanh ? &tanh_ : &sigmoid_;
  }

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    for (TensorView* tensor : step.Input(0)) {
      const Kind* kind = KindOf(*tensor, step.trial().roles());
      const trial::TensorValue* value = kind == nullptr ? nullptr : tensor->Raw();
      if (kind == nullptr) {
        verdicts->Skip(*tensor, "name contains neither tanh nor sigmoid");
      } else if (value == nullptr) {
        verdicts->Skip(*tensor, kNoRawValues);
      } else {
        EvaluateLayer(*tensor, *value, *kind, verdicts);
      }
    }
    return Status();
  }

 private:
  // Null if nothing tells. What the name says last is what the tensor feeds.
  const Kind* KindOf(const TensorView& tensor, const config::Roles& roles) {
    if (tensor.id() >= kinds_.size()) kinds_.resize(tensor.id() + 1);
    std::optional<const Kind*>& kind = kinds_[tensor.id()];
    if (kind) return *kind;
    kind = only_;
    size_t last = 0;
    for (const Kind* candidate : {&tanh_, &sigmoid_}) {
      const size_t at = LowerAscii(tensor.name()).rfind(candidate->name);
      if (at == std::string::npos || at < last) continue;
      kind = candidate;
      last = at;
    }
    for (const Kind* candidate : {&tanh_, &sigmoid_}) {
      const auto role = roles.find(candidate->role);
      if (role == roles.end()) continue;
      const bool plays =
          std::any_of(role->second.begin(), role->second.end(),
                      [&](const std::string& prefix) { return tensor.name().starts_with(prefix); });
      if (plays) kind = candidate;
    }
    return *kind;
  }

  void EvaluateLayer(TensorView& tensor, const trial::TensorValue& value, const Kind& kind,
                     Verdicts* verdicts) const {
    int64_t known = 0;
    int64_t saturated = 0;
    for (const InsideCount& unit :
         CountInside(value.ref(), UnitsOfActivation(value.shape), kind.min, kind.max)) {
      if (unit.finite == 0) continue;
      ++known;
      if (unit.percent() < inactivity_) ++saturated;
    }
    if (known == 0) {
      verdicts->Skip(tensor, WhyNoStatistic(tensor));
      return;
    }
    const double percent = 100.0 * static_cast<double>(saturated) / static_cast<double>(known);
    if (!(percent > layer_)) {
      verdicts->Healthy(tensor);
      return;
    }
    verdicts->Fire(tensor,
                   {percent, layer_,
                    fmt::format("{} of {} units are saturated ({:.4g} %, threshold {:g} %): less "
                                "than {:g} % of their inputs are between {:g} and {:g}, the active "
                                "range of {}",
                                saturated, known, percent, layer_, inactivity_, kind.min, kind.max,
                                kind.name)});
  }

  const Selector selector_;
  const Kind tanh_;
  const Kind sigmoid_;
  const double inactivity_;
  const double layer_;
  const Kind* only_ = nullptr;                     // What a tensor is that does not tell.
  std::vector<std::optional<const Kind*>> kinds_;  // By the tensor's id.
};

Result<std::unique_ptr<Rule>> MakeSaturated(const Params& params) {
  for (const std::string kind : {"tanh", "sigmoid"}) {
    const std::string min = fmt::format("threshold_{}_min", kind);
    const std::string max = fmt::format("threshold_{}_max", kind);
    if (params.Number(min) < params.Number(max)) continue;
    return params.Refuse(fmt::format("{} is {}; expected a value below {} ({})", min,
                                     params.Text(min), max, params.Text(max)));
  }
  return Make<Saturated>(params);
}

}  // namespace

RuleEntry SaturatedActivation() {
  static constexpr Param kParams[] = {
      kCollectionNames,
      kTensorRegex,
      {"threshold_tanh_min", ParamType::kNumber, "-9.4999", "tanh is saturated below this input"},
      {"threshold_tanh_max", ParamType::kNumber, "9.4999", "tanh is saturated above this input"},
      {"threshold_sigmoid_min", ParamType::kNumber, "-23", "sigmoid is saturated below this input"},
      {"threshold_sigmoid_max", ParamType::kNumber, "16.99999",
       "sigmoid is saturated above this "
       "input"},
      {"threshold_inactivity", ParamType::kNumber, "1.0",
       "A unit is saturated if less than this percentage of its inputs is within the limits", 0,
       100},
      {"threshold_layer", ParamType::kNumber, "50.0",
       "Maximum percentage of saturated units in a layer", 0, 100}};
  static constexpr Saves kSaves[] = {{"tanh_input", ".*tanh_input|.*Tanh_input", true},
                                     {"sigmoid_input", ".*sigmoid_input|.*Sigmoid_input", true}};
  static constexpr RuleSpec kSpec{
      "SaturatedActivation",
      "Most units of a tanh or sigmoid layer are saturated, so almost no gradient passes through.",
      "Use Xavier initialization, lower the learning rate, or add a normalization layer before the "
      "activation. Normalize the inputs.",
      kParams, kSaves};
  return {&kSpec, MakeSaturated};
}

}  // namespace warden::rules
