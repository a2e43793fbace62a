#ifndef WARDEN_RULES_XGBOOST_NAMES_H_
#define WARDEN_RULES_XGBOOST_NAMES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/trial/trial.h"

namespace warden::rules {

// How XGBoost's hook names what it saves.

inline constexpr std::string_view kHyperparameters = "hyperparameters/";
inline constexpr std::string_view kFeatureImportance = "feature_importance/";
inline constexpr std::string_view kTrees = "trees/";
inline constexpr std::string_view kLabels = "labels";
inline constexpr std::string_view kPredictions = "predictions";

// "validation-rmse": what the metric is of, and the metric. Names of both may have dashes.
struct MetricName {
  std::string data;
  std::string metric;
};
// Nothing if the name cannot be that of a metric.
std::optional<MetricName> ParseMetricName(std::string_view tensor);
// Without what it is computed at: "error@0.7", "map@3-" are error and map.
std::string_view BaseOfMetric(std::string_view metric);
// Whether it is one that XGBoost itself knows.
bool IsXgboostMetric(std::string_view metric);

// Names that other frameworks do not have. Labels and predictions are not among them.
bool IsXgboostTensor(std::string_view tensor);
// A column of the table of trees, where NaN stands for what a leaf has not.
bool IsTreeTable(std::string_view tensor);
// The metrics of a run: those that XGBoost knows, and the user's own in the collection of metrics.
std::vector<std::string> MetricsOf(const trial::Trial& trial);
// Whether XGBoost's hook saved anything in the run.
bool IsXgboostRun(const trial::Trial& trial);

}  // namespace warden::rules

#endif  // WARDEN_RULES_XGBOOST_NAMES_H_
