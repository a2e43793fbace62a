#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/loss.h"
#include "warden/rules/loss_pairs.h"

namespace warden::rules {
namespace {

// How a loss gets on in one mode.
struct Progress {
  int64_t points = 0;
  double best = 0;    // What it has to fall below by delta to be better.
  double lowest = 0;  // Ever.
  double last = 0;
  int64_t stale = 0;  // Saved steps since it was better.
  int64_t risen = 0;  // Saved steps in a row at which it was above the lowest by delta.

  void Take(double loss, double delta) {
    if (points == 0) best = lowest = loss;
    const bool better = points == 0 || (loss < best && best - loss >= delta);
    if (better) best = loss;
    stale = better ? 0 : stale + 1;
    risen = loss > lowest && loss - lowest >= delta ? risen + 1 : 0;
    lowest = std::min(lowest, loss);
    last = loss;
    ++points;
  }
};

class TrainedTooLong : public Rule {
 public:
  explicit TrainedTooLong(const Params& params)
      : selector_(LossSelector(params)),
        patience_train_(params.Integer("patience_train")),
        patience_eval_(params.Integer("patience_validation")),
        delta_(params.Number("delta")) {}

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    std::vector<std::pair<TensorView*, LossPlace>> taken;
    for (TensorView* tensor : step.Input(0)) {
      const auto place = PlaceOf(tensor->name(), step.mode());
      if (!place) continue;
      if (const auto loss = LossOf(*tensor, verdicts)) {
        losses_.Of(*tensor, *place).Take(*loss, delta_);
        taken.emplace_back(tensor, *place);
      }
    }
    if (taken.empty() && verdicts->too_little().empty()) {
      verdicts->TooLittle("needs TRAIN and EVAL losses, found none");
    }
    for (const auto& [tensor, place] : taken) EvaluateLoss(*tensor, place, verdicts);
    return Status();
  }

 private:
  using Parts = std::vector<Progress*>;

  void EvaluateLoss(TensorView& tensor, const LossPlace& place, Verdicts* verdicts) {
    auto& loss = losses_.At(tensor, place);
    const Parts own = {&*loss.In(place.mode)};
    const bool training = place.mode == Mode::kTrain;
    const Parts other = losses_.Counterparts(loss, training ? Mode::kEval : Mode::kTrain);
    const Parts& train = training ? own : other;
    const Parts& eval = training ? other : own;
    const int64_t seen = LeastOf(eval, &Progress::points);
    if (seen <= patience_eval_) {  // The first one cannot be without progress.
      verdicts->TooLittle(fmt::format("needs {} EVAL losses, found {}", patience_eval_ + 1, seen));
      return;
    }
    const int64_t train_stale = LeastOf(train, &Progress::stale);
    const int64_t eval_stale = LeastOf(eval, &Progress::stale);
    const int64_t eval_risen = LeastOf(eval, &Progress::risen);
    if (eval_risen >= patience_eval_) {
      const Progress& first = *eval.front();
      verdicts->Fire(tensor, {first.last - first.lowest, delta_,
                              fmt::format("EVAL loss {:.4g} has been above its best {:.4g} by at "
                                          "least {:g} for {} saved steps",
                                          first.last, first.lowest, delta_, eval_risen)});
    } else if (train_stale >= patience_train_ && eval_stale >= patience_eval_) {
      verdicts->Fire(tensor, {static_cast<double>(eval_stale), static_cast<double>(patience_eval_),
                              fmt::format("TRAIN loss (for {} saved steps) and EVAL loss (for {}) "
                                          "have not improved by {:g}",
                                          train_stale, eval_stale, delta_)});
    } else {
      verdicts->Healthy(tensor);
    }
  }

  // 0 if there are none.
  static int64_t LeastOf(const Parts& parts, int64_t Progress::* field) {
    const auto least = std::min_element(
        parts.begin(), parts.end(),
        [&](const Progress* a, const Progress* b) { return a->*field < b->*field; });
    return least == parts.end() ? 0 : (*least)->*field;
  }

  const Selector selector_;
  const int64_t patience_train_;
  const int64_t patience_eval_;
  const double delta_;
  LossPairs<Progress> losses_;
};

}  // namespace

RuleEntry Overtraining() {
  static constexpr Param kParams[] = {
      {"patience_train", ParamType::kInteger, "5",
       "Saved TRAIN steps without progress before the rule fires", 1},
      {"patience_validation", ParamType::kInteger, "10",
       "Saved EVAL steps without progress before the rule fires", 1},
      {"delta", ParamType::kNumber, "0.01", "Minimum decrease of a loss that counts as progress",
       0}};
  static constexpr Saves kSaves[] = {{"losses", ""}};
  static constexpr RuleSpec kSpec{
      "Overtraining", "Training continues although neither loss improves.",
      "Stop and keep the checkpoint with the best EVAL loss. If it is not good enough, lower the "
      "learning rate, or review the data and the model size.",
      kParams, kSaves};
  return {&kSpec, Make<TrainedTooLong>};
}

}  // namespace warden::rules
