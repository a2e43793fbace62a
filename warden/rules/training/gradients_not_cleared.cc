#include <fmt/format.h>

#include "warden/rules/training/log_rule.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

class NotCleared : public LogRule {
 public:
  explicit NotCleared(const Params& params) : limit_(params.Number("steps")) {}

 protected:
  bool Check(Verdicts* verdicts) override {
    const auto steps = log().Last("steps_without_clearing");
    if (!steps) return false;
    if (*steps < limit_) return true;
    verdicts->FireRun("", "",
                      {*steps, limit_,
                       fmt::format("gradients of earlier steps are still there: {:g} optimizer "
                                   "steps without zero_grad(){}",
                                   *steps, log().Line("step_line"))});
    return true;
  }

 private:
  const double limit_;
};

}  // namespace

RuleEntry GradientsNotCleared() {
  static constexpr Param kParams[] = {
      {"steps", ParamType::kInteger, "3", "Optimizer steps in a row without clearing", 1}};
  static constexpr RuleSpec kSpec{
      "GradientsNotCleared", "Gradients add up over optimizer steps: zero_grad() is missing.",
      "Call optimizer.zero_grad() once before each backward pass, or before the first one of an "
      "accumulation.",
      kParams};
  return {&kSpec, Make<NotCleared>};
}

}  // namespace warden::rules
