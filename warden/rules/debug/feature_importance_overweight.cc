#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "warden/rules/debug/rules.h"
#include "warden/rules/figures.h"

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

  Status Judge(const StepView& step, Verdicts* verdicts) override {
    std::map<std::string_view, std::vector<Feature>> by_worker;
    for (TensorView* tensor : step.Input(0)) {
      // The hook saves one number for each feature that the model uses.
      const auto weight = Mean(*tensor);
      if (!weight) {
        verdicts->Skip(*tensor, WhyNoFigure(*tensor));
      } else {
        verdicts->Healthy(*tensor);
        by_worker[tensor->worker()].push_back({weight->value, tensor->name()});
      }
    }
    for (auto& [worker, features] : by_worker) JudgeWorker(worker, &features, verdicts);
    return Status();
  }

 private:
  void JudgeWorker(std::string_view worker, std::vector<Feature>* features,
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
         fmt::format("the {} most important of {} features ({}) have {:.3g} of the "
                     "importance, more than {:g},",
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
       "Share of all importance that the most important features may have", 0, 1},
      {"nfeatures", ParamType::kInteger, "3", "How many features are the most important ones", 1},
      {"tensor_regex", ParamType::kPatterns, ".*feature_importance/weight",
       "Patterns of the names of the importances, one tensor for each feature"}};
  static constexpr Saves kSaves[] = {{"feature_importance", "^feature_importance/"}};
  static constexpr RuleSpec kSpec{
      "FeatureImportanceOverweight", "The model relies on a few features alone.",
      "Check these features for leakage of the label. Otherwise sample columns (colsample_bytree), "
      "regularise, or leave out features that add nothing.",
      kParams, kSaves};
  return {&kSpec, Make<Overweight>};
}

}  // namespace warden::rules
