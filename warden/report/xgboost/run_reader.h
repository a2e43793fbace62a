#ifndef WARDEN_REPORT_XGBOOST_RUN_READER_H_
#define WARDEN_REPORT_XGBOOST_RUN_READER_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/status.h"
#include "warden/report/xgboost/run_statistics.h"
#include "warden/report/xgboost/samples.h"
#include "warden/trial/trial.h"

namespace warden::report::xgboost {

// What XGBoost's hook saved in a run, by its meaning: finds tensors by name and steps, for ReadRun.
// Of several workers that saved the same step, the first one counts. What cannot be read is
// skipped. Looks at the trial as it is: call Trial::Refresh before if the run grows. For one
// thread.
//
//   RunReader reader(trial);
//   for (const MetricCurve& curve : reader.Curves()) Show(curve);
class RunReader {
 public:
  // trial outlives it and is not owned.
  explicit RunReader(const trial::Trial& trial) : trial_(trial) {}

  // As text, by name, from the last step at which each was saved.
  std::vector<std::pair<std::string, std::string>> Hyperparameters() const;
  // One for each evaluation metric that has any number, with its best step.
  std::vector<MetricCurve> Curves() const;
  // From the last step that has any.
  std::optional<Importance> LastImportance() const;

  // Steps at which there are predictions, ascending; none if no labels were saved. Computed once.
  const std::vector<Step>& PredictionSteps() const;
  // Labels need not have been saved at the same step: they do not change, so the last ones before
  // it count, or else the first. classes: see Samples::Make. kNotFound if there are no labels;
  // other errors are those of Trial::Value and Samples::Make.
  Result<Samples> SamplesAt(Step step, size_t classes) const;
  // The last step with labels; nothing if none were saved.
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
