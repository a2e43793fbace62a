#ifndef WARDEN_REPORT_XGBOOST_RUN_READER_H_
#define WARDEN_REPORT_XGBOOST_RUN_READER_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/status.h"
#include "warden/report/xgboost/figures.h"
#include "warden/report/xgboost/samples.h"
#include "warden/trial/trial.h"

namespace warden::report::xgboost {

// What XGBoost's hook saved in a run, by what it is for. Of several workers that saved the same
// step, the first one counts. What cannot be read is passed over.
class RunReader {
 public:
  explicit RunReader(const trial::Trial& trial) : trial_(trial) {}

  // As text, by name, from the last step at which each was saved.
  std::vector<std::pair<std::string, std::string>> Hyperparameters() const;
  std::vector<MetricCurve> Curves() const;
  // From the last step that has any.
  std::optional<Importance> LastImportance() const;

  // Steps at which there are predictions with labels for them, ascending.
  const std::vector<Step>& PredictionSteps() const;
  // Labels need not have been saved at the same step: they do not change.
  Result<Samples> SamplesAt(Step step, size_t classes) const;
  std::optional<Step> LastLabelStep() const;
  Result<trial::TensorValue> LabelsAt(Step step) const;

 private:
  // Steps of the tensor; incomplete ones only if there are no others.
  std::vector<Step> StepsOf(std::string_view tensor) const;
  std::optional<double> NumberAt(std::string_view tensor, Step step) const;

  const trial::Trial& trial_;
  mutable std::optional<std::vector<Step>> prediction_steps_;
  mutable std::vector<Step> label_steps_;
};

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_RUN_READER_H_
