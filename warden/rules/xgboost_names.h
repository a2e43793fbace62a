#ifndef WARDEN_RULES_XGBOOST_NAMES_H_
#define WARDEN_RULES_XGBOOST_NAMES_H_

// How XGBoost's hook names what it saves. Rules use it to tell losses from other metrics and to
// leave out tables of trees; the XGBoost report and the CLI use it to find the metrics of a run and
// to decide whether it is an XGBoost run at all.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/trial/trial.h"

namespace warden::rules {

// Prefixes and names of tensors, as the original writes them.
inline constexpr std::string_view kHyperparameters = "hyperparameters/";
inline constexpr std::string_view kFeatureImportance = "feature_importance/";
inline constexpr std::string_view kTrees = "trees/";
inline constexpr std::string_view kLabels = "labels";
inline constexpr std::string_view kPredictions = "predictions";

// "validation-rmse": the data that the metric is of, and the metric. Names of both may have dashes.
struct MetricName {
  std::string data;    // "validation".
  std::string metric;  // "rmse", "map@3-".
};
// Nothing if the name cannot be that of a metric: it has a slash, or no dash between two parts.
std::optional<MetricName> ParseMetricName(std::string_view tensor);
// Without what it is computed at: "error@0.7", "map@3-" are error and map. Refers to the argument.
std::string_view BaseOfMetric(std::string_view metric);
// Whether it is a metric that XGBoost itself knows, with or without "@...".
bool IsXgboostMetric(std::string_view metric);

// Whether it is a name that other frameworks do not have. Labels and predictions are not among
// them.
bool IsXgboostTensor(std::string_view tensor);
// A column of the table of trees, in which NaN stands for what a leaf does not have.
bool IsTreeTable(std::string_view tensor);
// The metrics of a run, by name: those that XGBoost knows, and the user's own in the collection
// "metrics". Empty if the run's names cannot be read.
std::vector<std::string> MetricsOf(const trial::Trial& trial);
// Whether XGBoost's hook saved anything in the run, as far as it has been read.
bool IsXgboostRun(const trial::Trial& trial);

}  // namespace warden::rules

#endif  // WARDEN_RULES_XGBOOST_NAMES_H_
