#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/finite_statistics.h"

namespace warden::rules {
namespace {

struct Feature {
  double weight = 0;
  std::string_view tensor;
};

class Overweight : public Rule {
 public:
  explicit Overweight(const Params& params)
      : selector_({.patterns = params.List("tensor_regex")}),
        threshold_(params.Number("threshold")),
        features_(static_cast<size_t>(params.Integer("nfeatures"))) {}

  std::vector<Selector> inputs() const override { return {selector_}; }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    std::map<std::string_view, std::vector<Feature>> by_worker;
    for (TensorView* tensor : step.Input(0)) {
      // The hook saves one number for each feature that the model uses.
      const auto weight = Mean(*tensor);
      if (!weight) {
        verdicts->Skip(*tensor, WhyNoStatistic(*tensor));
      } else {
        verdicts->Healthy(*tensor);
        by_worker[tensor->worker()].push_back({weight->value, tensor->name()});
      }
    }
    for (auto& [worker, features] : by_worker) EvaluateWorker(worker, &features, verdicts);
    return Status();
  }

 private:
  void EvaluateWorker(std::string_view worker, std::vector<Feature>* features,
                      Verdicts* verdicts) const {
    std::sort(features->begin(), features->end(), [](const Feature& a, const Feature& b) {
      return std::pair(-a.weight, a.tensor) < std::pair(-b.weight, b.tensor);
    });
    const auto sum = [&](size_t count) {
      return std::accumulate(features->begin(), features->begin() + static_cast<ptrdiff_t>(count),
                             0.0, [](double s, const Feature& f) { return s + f.weight; });
    };
    const size_t few = std::min(features_, features->size());
    const double share = sum(few) / sum(features->size());
    if (!(share > threshold_)) {  // Nor if all weights are zero.
      verdicts->HealthyWorker(worker);
      return;
    }
    std::vector<std::string_view> names;
    for (size_t i = 0; i < few; ++i) names.push_back((*features)[i].tensor);
    verdicts->FireRun(
        "", worker,
        {share, threshold_,
         fmt::format("the {} most important of {} features ({}) hold {:.3g} of the total "
                     "importance (threshold {:g})",
                     few, features->size(), fmt::join(names, ", "), share, threshold_)});
  }

  const Selector selector_;
  const double threshold_;
  const size_t features_;
};

}  // namespace

RuleEntry FeatureImportanceOverweight() {
  static constexpr Param kParams[] = {
      {"threshold", ParamType::kNumber, "0.8",
       "Maximum share of the total importance held by the top features", 0, 1},
      {"nfeatures", ParamType::kInteger, "3", "Number of top features", 1},
      {"tensor_regex", ParamType::kPatterns, ".*feature_importance/weight",
       "Importances, one tensor per feature: regular expressions matched anywhere in the name"}};
  static constexpr Saves kSaves[] = {{"feature_importance", "^feature_importance/"}};
  static constexpr RuleSpec kSpec{
      "FeatureImportanceOverweight", "The model relies on only a few features.",
      "Check these features for label leakage. Otherwise sample columns (colsample_bytree), add "
      "regularization, or drop features that do not help.",
      kParams, kSaves};
  return {&kSpec, Make<Overweight>};
}

}  // namespace warden::rules
