#include <fmt/format.h>

#include "warden/rules/training/log_rule.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

class WrongMode : public LogRule {
 public:
  explicit WrongMode(const Params& params) : limit_(params.Number("passes")) {}

 protected:
  void Check(const StepView& /*step*/, Verdicts* verdicts) override {
    const auto evaluated = log().Now("forwards_without_gradient_in_train_mode");
    // The script evaluates many times, a few passes each.
    if (evaluated) ++evaluations_;
    if (evaluations_ >= limit_) {
      verdicts->FireRun("evaluation", "",
                        {static_cast<double>(evaluations_), limit_,
                         "the model is evaluated in train mode: dropout and batch normalization "
                         "are active without gradients",
                         "Call model.eval() before evaluation, and model.train() after it."});
    }
    const auto trained = log().Now("backwards_in_eval_mode");
    if (trained) training_ = *trained;
    if (training_ >= limit_) {
      verdicts->FireRun("training", "",
                        {training_, limit_,
                         "training continues in eval mode: dropout is off and batch normalization "
                         "does not learn",
                         "Call model.train() after each evaluation."});
    }
  }

 private:
  const double limit_;
  int64_t evaluations_ = 0;
  double training_ = 0;
};

}  // namespace

RuleEntry EvaluationMode() {
  static constexpr Param kParams[] = {
      {"passes", ParamType::kInteger, "5", "Passes in the wrong mode", 1}};
  static constexpr RuleSpec kSpec{
      "EvaluationMode", "The model is evaluated in train mode, or trained in eval mode.",
      "Call model.eval() before evaluation, and model.train() after it.", kParams};
  return {&kSpec, Make<WrongMode>};
}

}  // namespace warden::rules
