#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <limits>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/loss.h"
#include "warden/rules/loss_choice.h"
#include "warden/rules/per_tensor.h"

namespace warden::rules {
namespace {

Selector InputOf(const Params& params) {
  Selector selector = SelectorFrom(params, {});
  if (params.Switch("use_losses_collection")) selector.collections.emplace_back("losses");
  return selector;
}

// By how many percent of `before` the loss has fallen.
double PercentFallen(double before, double now) {
  if (before != 0) return 100 * (before - now) / std::abs(before);
  if (now == 0) return 0;
  return std::copysign(std::numeric_limits<double>::infinity(), -now);
}

class NotDecreasing : public Rule {
 public:
  explicit NotDecreasing(const Params& params)
      : selector_(InputOf(params)),
        num_steps_(params.Integer("num_steps")),
        least_(params.Number("diff_percent")),
        most_rise_(params.Number("increase_threshold_percent")),
        mode_(params.OnlyMode("mode"), selector_, params.Switch("compat_mode")) {}

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    const std::vector<TensorView*> losses = choice_.Of(step, step.Input(0), verdicts);
    if (losses.empty()) return Status();
    const Mode mode = mode_.Choose(step);
    if (mode != Mode::kGlobal && step.mode() != mode) {
      if (verdicts->too_little().empty()) {
        verdicts->TooLittle(fmt::format("no losses saved in mode {}", ModeName(mode)));
      }
      return Status();
    }
    verdicts->About(step.step(), mode);  // In GLOBAL the steps of all modes are one series.
    const Step at = mode == Mode::kGlobal ? step.step() : step.mode_step();
    for (TensorView* tensor : losses) {
      if (const auto loss = LossOf(*tensor, verdicts)) {
        Take(*tensor, &series_.Of(*tensor, mode), {at, *loss}, verdicts);
      }
    }
    return Status();
  }

 private:
  struct Point {
    Step step = 0;
    double loss = 0;
  };
  struct Series {
    std::deque<Point> points;  // From the one that the next check is against on.
    Step next_check = -1;      // -1: nothing was seen yet.
  };

  void Take(TensorView& tensor, Series* series, Point now, Verdicts* verdicts) const {
    std::deque<Point>& points = series->points;
    if (series->next_check < 0) series->next_check = now.step + num_steps_;
    points.push_back(now);
    while (points.size() > 1 && points[1].step <= now.step - num_steps_) points.pop_front();
    if (now.step >= series->next_check) {
      series->next_check = now.step + num_steps_;
      Check(tensor, points.front(), now, verdicts);
    } else {
      verdicts->TooLittle(
          fmt::format("needs {} steps, found {}", num_steps_, now.step - points.front().step));
    }
  }

  void Check(TensorView& tensor, Point before, Point now, Verdicts* verdicts) const {
    const double fallen = PercentFallen(before.loss, now.loss);
    if (fallen < -most_rise_) {
      verdicts->Fire(tensor, {-fallen, most_rise_,
                              fmt::format("loss rose by {:.3g} % from {:.4g} to {:.4g} in {} steps "
                                          "(limit {:g} %)",
                                          -fallen, before.loss, now.loss, now.step - before.step,
                                          most_rise_)});
    } else if (fallen >= 0 && fallen < least_) {
      verdicts->Fire(tensor,
                     {fallen, least_,
                      fmt::format("loss fell by only {:.3g} % from {:.4g} to {:.4g} in {} steps "
                                  "(expected at least {:g} %)",
                                  fallen, before.loss, now.loss, now.step - before.step, least_)});
    } else {
      verdicts->Healthy(tensor);
    }
  }

  const Selector selector_;
  const int64_t num_steps_;
  const double least_;
  const double most_rise_;
  LossMode mode_;
  LossChoice choice_;
  PerTensor<Series> series_;
};

Result<std::unique_ptr<Rule>> MakeNotDecreasing(const Params& params) {
  if (InputOf(params).empty()) {
    return params.Refuse(
        "no losses selected; use_losses_collection=False needs collection_names or tensor_regex");
  }
  return Make<NotDecreasing>(params);
}

}  // namespace

RuleEntry LossNotDecreasing() {
  static constexpr Param kParams[] = {
      kLossCollections,
      kLossRegex,
      {"use_losses_collection", ParamType::kSwitch, "True", "Also check the collection losses"},
      {"num_steps", ParamType::kInteger, "10", "Steps between two checks", 1, 1e9},
      {"diff_percent", ParamType::kNumber, "0.1",
       "Minimum decrease of the loss between two checks, in percent", 0, 100},
      {"increase_threshold_percent", ParamType::kNumber, "5",
       "Maximum increase of the loss between two checks, in percent", 0},
      {"mode", ParamType::kMode, "",
       "Mode of the steps to check (default: EVAL if it has losses, else TRAIN, else GLOBAL)"},
      {"compat_mode", ParamType::kSwitch, "False",
       "If mode is not set, use EVAL if it has steps, even without losses, as SageMaker does"}};
  static constexpr Saves kSaves[] = {{"losses", ""}};
  static constexpr RuleSpec kSpec{
      "LossNotDecreasing", "The loss has stopped decreasing or is rising.",
      "Change the learning rate: lower if the loss jumps, higher if it barely moves. Check that "
      "the optimizer holds the model's parameters, that gradients reach all layers, and that "
      "labels match their inputs.",
      kParams, kSaves};
  return {&kSpec, MakeNotDecreasing};
}

}  // namespace warden::rules
