#include "warden/rules/xgboost_names.h"

#include <algorithm>
#include <iterator>

#include "warden/rules/selector.h"

namespace warden::rules {
namespace {

constexpr std::string_view kXgboostMetrics[] = {"rmse",
                                                "rmsle",
                                                "mae",
                                                "mape",
                                                "mphe",
                                                "logloss",
                                                "error",
                                                "merror",
                                                "mlogloss",
                                                "auc",
                                                "aucpr",
                                                "pre",
                                                "ndcg",
                                                "map",
                                                "poisson-nloglik",
                                                "gamma-nloglik",
                                                "cox-nloglik",
                                                "gamma-deviance",
                                                "tweedie-nloglik",
                                                "aft-nloglik",
                                                "interval-regression-accuracy",
                                                "quantile",
                                                "expectile"};

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) && text.size() > prefix.size();
}

// Where the metric begins, if the name ends in one that XGBoost knows, with a dash in it.
size_t KnownMetricAt(std::string_view name) {
  for (const std::string_view metric : kXgboostMetrics) {
    if (metric.find('-') == std::string_view::npos) continue;
    const size_t at = name.rfind(metric);
    if (at == std::string_view::npos || at < 2 || name[at - 1] != '-') continue;
    if (BaseOfMetric(name.substr(at)) == metric) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::string_view BaseOfMetric(std::string_view metric) {
  metric = metric.substr(0, metric.find('@'));
  return metric.ends_with('-') ? metric.substr(0, metric.size() - 1) : metric;
}

bool IsXgboostMetric(std::string_view metric) {
  return std::find(std::begin(kXgboostMetrics), std::end(kXgboostMetrics), BaseOfMetric(metric)) !=
         std::end(kXgboostMetrics);
}

std::optional<MetricName> ParseMetricName(std::string_view tensor) {
  if (tensor.find('/') != std::string_view::npos) return std::nullopt;
  size_t metric = KnownMetricAt(tensor);
  if (metric == std::string_view::npos) {
    // "map@3-" ends in a dash of its own.
    const size_t dash =
        tensor.ends_with('-') ? tensor.rfind('-', tensor.size() - 2) : tensor.rfind('-');
    if (dash == std::string_view::npos || dash == 0 || dash + 1 == tensor.size()) {
      return std::nullopt;
    }
    metric = dash + 1;
  }
  return MetricName{std::string(tensor.substr(0, metric - 1)), std::string(tensor.substr(metric))};
}

bool IsXgboostTensor(std::string_view tensor) {
  if (StartsWith(tensor, kHyperparameters) || StartsWith(tensor, kFeatureImportance) ||
      StartsWith(tensor, kTrees)) {
    return true;
  }
  const auto metric = ParseMetricName(tensor);
  return metric && IsXgboostMetric(metric->metric);
}

bool IsTreeTable(std::string_view tensor) { return StartsWith(tensor, kTrees); }

std::vector<std::string> MetricsOf(const trial::Trial& trial) {
  const auto names = trial.TensorNames();
  if (!names.ok()) return {};
  const auto own = Matcher::Make({.collections = {"metrics"}}, trial);
  std::vector<std::string> metrics;
  for (const std::string& name : names.value()) {
    const auto metric = ParseMetricName(name);
    if (!metric) continue;
    if (IsXgboostMetric(metric->metric) || (own.ok() && own.value().Matches(name))) {
      metrics.push_back(name);
    }
  }
  return metrics;
}

bool IsXgboostRun(const trial::Trial& trial) {
  const auto names = trial.TensorNames();
  return names.ok() && std::any_of(names.value().begin(), names.value().end(),
                                   [](const std::string& name) { return IsXgboostTensor(name); });
}

}  // namespace warden::rules
