#include "warden/rules/debug/debug_rules.h"
#include "warden/rules/xgboost_names.h"

namespace warden::rules {
namespace {

// Finds nothing wrong: whoever runs rules writes the report of a run in which this one has
// evaluated something (warden/report/xgboost/xgboost_report.h).
class CreateReport : public Rule {
 public:
  explicit CreateReport(const Params& /*params*/) {}

  std::vector<Selector> inputs() const override {
    return {{.collections = {"metrics", "feature_importance", "hyperparameters"},
             .patterns = {"^(hyperparameters|feature_importance|trees)/", "^[^/]+-[^/]+$"}}};
  }

  Status Evaluate(const StepView& step, Verdicts* verdicts) override {
    for (TensorView* tensor : step.Input(0)) {
      if (IsXgboostTensor(tensor->name())) {
        verdicts->Healthy(*tensor);
      } else if (!ParseMetricName(tensor->name())) {  // Else: a metric of the user's own.
        verdicts->Skip(*tensor, "not saved by the XGBoost hook");
      }
    }
    return Status();
  }
};

}  // namespace

RuleEntry CreateXgboostReport() {
  static constexpr Saves kSaves[] = {{"metrics", "^[^/]+-[^/]+$", true},
                                     {"feature_importance", "^feature_importance/", true},
                                     {"predictions", "^predictions$", true},
                                     {"labels", "^labels$", true},
                                     {"hyperparameters", "^hyperparameters/", true}};
  static constexpr RuleSpec kSpec{"CreateXgboostReport",
                                  "Writes a report on an XGBoost training; never fires.",
                                  "Open the report and start with its first recommendation.",
                                  {},
                                  kSaves,
                                  RuleKind::kReport};
  return {&kSpec, Make<CreateReport>};
}

}  // namespace warden::rules
