#include <fmt/format.h>

#include <algorithm>

#include "warden/base/json_members.h"
#include "warden/rules/running_window.h"
#include "warden/rules/training/log_rule.h"
#include "warden/rules/training/training_rules.h"

namespace warden::rules {
namespace {

constexpr double kWasted = 5;  // Gradients that were computed and cleared without any step.
constexpr double kRoundedSteps = 25;
constexpr size_t kRates = 20;

class Covers : public LogRule {
 public:
  explicit Covers(const Params& params)
      : backwards_(params.Number("backward_passes")), steps_(params.Number("steps")) {}

 protected:
  bool Check(Verdicts* verdicts) override {
    if (CheckSteps(verdicts)) return true;
    if (const auto rate = log().Now("learning_rate")) rates_.Add(*rate, kRates);
    if (log().facts_are_new()) {
      missing_ = log().Names("not_in_optimizer");
      unreached_ = log().Names("without_gradient");
      unstepped_ = log().Names("never_stepped");
      rounded_ = log().Names("rounded_away");
    }
    if (log().Last("optimizer_step").value_or(0) < steps_) return false;
    // A layer that no optimizer has gets no gradient for the same reason, or the reverse.
    if (!unstepped_.empty()) {
      verdicts->FireRun(
          "", "",
          {static_cast<double>(unstepped_.size()), 0,
           fmt::format("step() is never called for the optimizer of {}, so they are not "
                       "updated",
                       SomeOf(unstepped_)),
           "Call step() of every optimizer."});
    } else if (!missing_.empty()) {
      FireMissing(verdicts);
    } else if (!unreached_.empty()) {
      FireUnreached(verdicts);
    } else if (AreRounded()) {
      FireRounded(verdicts);
    }
    return true;
  }

 private:
  // Whether the optimizer is never used.
  bool CheckSteps(Verdicts* verdicts) {
    const auto waiting = log().Now("backwards_since_step");
    const auto wasted = log().Now("cleared_without_step");
    if (waiting && *waiting >= backwards_ && !log().Last("optimizer_step")) {
      never_ = *waiting;
    } else if (wasted && *wasted >= kWasted && !log().Last("optimizer_step")) {
      never_ = *wasted;
    } else if (log().Now("optimizer_step")) {
      never_ = 0;
    }
    if (never_ == 0) return CheckBackward(verdicts);
    verdicts->FireRun("", "",
                      {never_, backwards_,
                       fmt::format("optimizer.step() is never called: {:g} backward passes without "
                                   "an update{}",
                                   never_, log().Line("backward_line")),
                       "Call optimizer.step() after loss.backward()."});
    return true;
  }

  // Whether losses are computed, and nothing is done with them.
  bool CheckBackward(Verdicts* verdicts) {
    if (const auto losses = log().Now("losses_without_backward")) unused_ = *losses;
    if (log().Last("optimizer_step") || log().Last("backward_value")) unused_ = 0;
    if (unused_ < backwards_ || !log().Last("optimizers_created")) return false;
    verdicts->FireRun(
        "", "",
        {unused_, backwards_,
         fmt::format(
             "backward() is never called: {:g} losses were computed, and nothing is updated{}",
             unused_, log().Line("loss_line")),
         "Call loss.backward() and optimizer.step(); with manual optimization in Lightning, "
         "manual_backward() and step() of the optimizer."});
    return true;
  }

  void FireMissing(Verdicts* verdicts) {
    const bool stale = IntegerOf(MemberOf(log().facts(), "foreign_parameters")) > 0;
    const auto count = static_cast<double>(missing_.size());
    verdicts->FireRun(
        "", "",
        {count, 0,
         stale ? fmt::format("the optimizer holds parameters that are no longer in the model, and "
                             "does not update {}: parts of the model were replaced after the "
                             "optimizer was created{}",
                             SomeOf(missing_), OptimizerLine())
               : fmt::format("no optimizer updates {}, which are trainable: the optimizer was "
                             "created without them{}",
                             SomeOf(missing_), OptimizerLine()),
         stale ? "Create the optimizer after the last change of the model."
               : "Pass all parameters that should be trained to the optimizer, for example "
                 "model.parameters(), or freeze the others with requires_grad_(False)."});
  }

  void FireUnreached(Verdicts* verdicts) {
    verdicts->FireRun("", "",
                      {static_cast<double>(unreached_.size()), 0,
                       fmt::format("{} never get a gradient: the graph is cut between them and the "
                                   "loss (detach, .data, no_grad), or they are not used",
                                   SomeOf(unreached_)),
                       "Look for detach(), .data, .item(), numpy() or torch.no_grad() after these "
                       "layers. Remove them from the model if they are not used."});
  }

  // The learning rate must be where it will stay: at first it may be too low on purpose.
  bool AreRounded() const {
    if (rounded_.size() < 2 || log().Last("optimizer_step").value_or(0) < kRoundedSteps) {
      return false;
    }
    return rates_.size() >= 10 && log().Last("learning_rate").value_or(0) <= rates_.Median();
  }

  void FireRounded(Verdicts* verdicts) {
    verdicts->FireRun("", "",
                      {static_cast<double>(rounded_.size()), 0,
                       fmt::format("{} never change: their updates are smaller than the precision "
                                   "of bfloat16 or half, and are rounded away",
                                   SomeOf(rounded_)),
                       "Keep the weights in float32 and compute in bfloat16 with "
                       "torch.autocast, or use an optimizer with float32 master weights."});
  }

  std::string OptimizerLine() const {
    const Json* optimizers = MemberOf(log().facts(), "optimizers");
    if (optimizers == nullptr || !optimizers->is_array() || optimizers->empty()) return "";
    const std::string line = TextOf(MemberOf(optimizers->back(), "line"));
    return line.empty() ? "" : fmt::format(" ({})", line);
  }

  const double backwards_;
  const double steps_;
  double never_ = 0;
  double unused_ = 0;
  std::vector<std::string> missing_;
  std::vector<std::string> unreached_;
  std::vector<std::string> unstepped_;
  std::vector<std::string> rounded_;
  RunningWindow rates_;
};

}  // namespace

RuleEntry OptimizerCoverage() {
  static constexpr Param kParams[] = {
      {"backward_passes", ParamType::kInteger, "40",
       "Backward passes without a single optimizer step", 1},
      {"steps", ParamType::kInteger, "4", "Optimizer steps before parameters are checked", 1}};
  static constexpr RuleSpec kSpec{
      "OptimizerCoverage", "The optimizer does not update what the model trains.",
      "Check how the optimizer is created and when optimizer.step() is called.", kParams};
  return {&kSpec, Make<Covers>};
}

}  // namespace warden::rules
