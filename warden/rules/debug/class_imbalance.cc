#include <fmt/format.h>

#include "warden/rules/class_ids.h"
#include "warden/rules/class_tally.h"
#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/per_tensor.h"

namespace warden::rules {
namespace {

class Imbalance : public Rule {
 public:
  explicit Imbalance(const Params& params)
      : labels_(Input(params, "labels_regex", "labels")),
        predictions_(Input(params, "predictions_regex", "predictions")),
        imbalance_(params.Number("threshold_imbalance")),
        misprediction_(params.Number("threshold_misprediction")),
        samples_(params.Integer("samples")),
        arg_max_(params.Switch("argmax")) {}

  std::vector<Selector> inputs() const override { return {labels_, predictions_}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    for (const LabelPair& pair : PairLabels(step.Input(0), step.Input(1), verdicts)) {
      // Over all modes: the classes are those of the data.
      ClassTally& tally = tallies_.Of(*pair.labels, Mode::kGlobal);
      const ClassIds labels = LabelIds(pair.labels->Raw());
      if (!labels.why.empty()) {
        verdicts->Skip(*pair.labels, labels.why);
        continue;
      }
      ClassIds predicted;
      if (pair.predictions != nullptr) {
        predicted = PredictedIds(pair.predictions->Raw(), labels.ids, {arg_max_, std::nullopt});
        if (!predicted.why.empty()) verdicts->Skip(*pair.predictions, predicted.why);
      }
      tally.Add(labels.ids, predicted.ids);
      if (tally.too_many()) {
        verdicts->Skip(*pair.labels, "too many classes");
      } else if (tally.labels() < samples_) {
        verdicts->TooLittle(fmt::format("needs {} labels, found {}", samples_, tally.labels()));
      } else {
        EvaluateLabels(*pair.labels, tally, verdicts);
        if (!predicted.ids.empty()) EvaluatePredictions(*pair.predictions, tally, verdicts);
      }
    }
    return Status();
  }

 private:
  static Selector Input(const Params& params, std::string_view name, const char* role) {
    Selector selector{.patterns = params.List(name)};
    if (!params.Given(name)) selector.roles = {role};
    return selector;
  }

  void EvaluateLabels(TensorView& tensor, const ClassTally& tally, Verdicts* verdicts) const {
    const auto& rare = tally.Rarest();
    const auto& common = tally.Commonest();
    const double ratio = static_cast<double>(common.labels) / static_cast<double>(rare.labels);
    if (!(ratio > imbalance_)) {
      verdicts->Healthy(tensor);
      return;
    }
    verdicts->Fire(
        tensor, {ratio, imbalance_,
                 fmt::format("class {} has {} labels and class {} has {}, a ratio of {:.4g} "
                             "(threshold {:g})",
                             rare.id, rare.labels, common.id, common.labels, ratio, imbalance_)});
  }

  void EvaluatePredictions(TensorView& tensor, const ClassTally& tally, Verdicts* verdicts) const {
    const ClassTally::Class& worst = tally.Worst();
    if (!(worst.wrong_share() > misprediction_)) {
      verdicts->Healthy(tensor);
      return;
    }
    verdicts->Fire(tensor, {worst.wrong_share(), misprediction_,
                            fmt::format("{} of {} labels of class {} were predicted wrong ({:.3g}, "
                                        "threshold {:g})",
                                        worst.wrong, worst.labels, worst.id, worst.wrong_share(),
                                        misprediction_)});
  }

  const Selector labels_;
  const Selector predictions_;
  const double imbalance_;
  const double misprediction_;
  const int64_t samples_;
  const bool arg_max_;
  PerTensor<ClassTally> tallies_;
};

}  // namespace

RuleEntry ClassImbalance() {
  static constexpr Param kParams[] = {
      {"labels_regex", ParamType::kPatterns, ".*labels",
       "Labels: regular expressions matched "
       "anywhere in the name"},
      {"predictions_regex", ParamType::kPatterns, ".*predictions",
       "Predictions: regular expressions matched anywhere in the name"},
      {"threshold_imbalance", ParamType::kNumber, "10",
       "Maximum ratio between the most and the least frequent class", 1},
      {"threshold_misprediction", ParamType::kNumber, "0.7",
       "Maximum share of wrong predictions for a class", 0, 1},
      {"samples", ParamType::kInteger, "500", "Number of labels needed before the first check", 1},
      {"argmax", ParamType::kSwitch, "False",
       "Take the argmax of the predictions along the last axis"}};
  static constexpr Saves kSaves[] = {{"labels", ".*labels", true},
                                     {"predictions", ".*predictions", true}};
  static constexpr RuleSpec kSpec{
      "ClassImbalance", "Some classes are much rarer than others or are mostly predicted wrong.",
      "Oversample the rare classes, weight the loss by class, or use focal loss. Compare models by "
      "per-class recall instead of accuracy.",
      kParams, kSaves};
  return {&kSpec, Make<Imbalance>};
}

}  // namespace warden::rules
