#include <fmt/format.h>

#include <algorithm>

#include "warden/rules/closeness.h"
#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"
#include "warden/rules/past_values.h"
#include "warden/rules/per_tensor.h"

namespace warden::rules {
namespace {

class Unchanged : public Rule {
 public:
  explicit Unchanged(const Params& params)
      : selector_(SelectorFrom(params, {})),
        num_steps_(params.Integer("num_steps")),
        starts_late_(params.Integer("start_step") > 0),
        tolerance_{params.Number("rtol"), params.Number("atol"), params.Switch("equal_nan")} {}

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    for (TensorView* tensor : step.Input(0)) {
      const trial::TensorValue* value = tensor->Raw();
      if (!step.IsTraining()) {
        verdicts->Skip(*tensor, kNotTraining);
      } else if (value == nullptr) {
        verdicts->Skip(*tensor, kNoRawValues);
      } else if (!IsReal(value->dtype)) {
        verdicts->Skip(*tensor, kNoRealNumbers);
      } else if (value->ref().count() == 0) {
        verdicts->Skip(*tensor, kNothingFinite);
      } else {
        PastValues* past = &past_.Of(*tensor, step.mode());
        if (past->empty() && starts_late_) ReadPast(step, *tensor, past);
        EvaluateChange(*tensor, *value, *past, verdicts);
        past->push_back({step.step(), step.mode_step(), *value});
        KeepLast(past, static_cast<size_t>(num_steps_ - 1));
      }
    }
    return Status();
  }

 private:
  // What was saved before the first step that is evaluated counts, too.
  void ReadPast(const StepView& step, const TensorView& tensor, PastValues* past) const {
    const auto steps = step.trial().TensorSteps(tensor.name(), step.mode());
    if (!steps.ok()) return;
    for (const Step earlier : steps.value()) {
      if (earlier >= step.mode_step()) break;
      past->push_back(
          {step.trial().GlobalStep(step.mode(), earlier).value_or(earlier), earlier, {}});
    }
    KeepLast(past, static_cast<size_t>(num_steps_ - 1));
    for (PastValue& one : *past) {
      auto value = step.trial().Value(tensor.name(), one.mode_step, step.mode(), tensor.worker());
      if (value.ok()) one.value = std::move(value.value());
    }
    std::erase_if(*past, [](const PastValue& one) { return one.value.data.empty(); });
  }

  void EvaluateChange(TensorView& tensor, const trial::TensorValue& value, const PastValues& past,
                      Verdicts* verdicts) const {
    if (std::ssize(past) + 1 < num_steps_) {
      verdicts->TooLittle(fmt::format("needs {} steps, found {}", num_steps_, past.size() + 1));
      return;
    }
    // The latest first: where a tensor changes, that step shows it.
    const bool unchanged = std::all_of(past.rbegin(), past.rend(), [&](const PastValue& one) {
      return IsReal(one.value.dtype) && AllClose(one.value.ref(), value.ref(), tolerance_);
    });
    if (!unchanged) {
      verdicts->Healthy(tensor);
      return;
    }
    verdicts->Fire(tensor,
                   {static_cast<double>(num_steps_), static_cast<double>(num_steps_),
                    fmt::format("unchanged over the last {} saved steps, since step {} (rtol {:g}, "
                                "atol {:g})",
                                num_steps_, past.front().step, tolerance_.rtol, tolerance_.atol)});
  }

  const Selector selector_;
  const int64_t num_steps_;
  const bool starts_late_;
  const Tolerance tolerance_;
  PerTensor<PastValues> past_;
};

Result<std::unique_ptr<Rule>> MakeUnchanged(const Params& params) {
  if (SelectorFrom(params, {}).empty()) {
    return params.Refuse("no tensors selected; set collection_names or tensor_regex");
  }
  return Make<Unchanged>(params);
}

}  // namespace

RuleEntry UnchangedTensor() {
  static constexpr Param kParams[] = {
      kCollectionNames,
      kTensorRegex,
      {"num_steps", ParamType::kInteger, "3",
       "Number of saved steps to compare, including the current one", 2},
      {"rtol", ParamType::kNumber, "1e-5", "Relative tolerance of the comparison", 0},
      {"atol", ParamType::kNumber, "1e-8", "Absolute tolerance of the comparison", 0},
      {"equal_nan", ParamType::kSwitch, "False", "Treat NaN as equal to NaN"}};
  static constexpr RuleSpec kSpec{
      "UnchangedTensor", "A tensor does not change from step to step.",
      "Check that the parameter requires a gradient and is passed to the optimizer, and that the "
      "learning rate is not zero. For inputs, check that batches are not repeated.",
      kParams};
  return {&kSpec, MakeUnchanged};
}

}  // namespace warden::rules
