#include <fmt/format.h>

#include "warden/rules/training/log_rule.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

class WrongMode : public LogRule {
 public:
  explicit WrongMode(const Params& params) : limit_(params.Number("passes")) {}

 protected:
  bool Check(Verdicts* verdicts) override {
    if (const auto passes = log().Now("evaluations_in_train_mode")) evaluations_ = *passes;
    if (const auto passes = log().Now("backwards_in_eval_mode")) training_ = *passes;
    if (training_ >= limit_) {
      verdicts->FireRun("", "",
                        {training_, limit_,
                         fmt::format("training continues in eval mode: dropout is off and batch "
                                     "normalization does not learn{}",
                                     log().Line("eval_mode_line")),
                         "Call model.train() after each evaluation."});
    } else if (evaluations_ >= limit_ && !log().Last("forwards_in_eval_mode")) {
      // Who uses both modes knows why, for example to estimate uncertainty with dropout.
      verdicts->FireRun("", "",
                        {evaluations_, limit_,
                         fmt::format("the model is evaluated in train mode: dropout and batch "
                                     "normalization are active without gradients{}",
                                     log().Line("evaluation_line")),
                         "Call model.eval() before evaluation, and model.train() after it."});
    }
    return true;
  }

 private:
  const double limit_;
  double evaluations_ = 0;
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
