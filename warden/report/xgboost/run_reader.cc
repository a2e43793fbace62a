#include "warden/report/xgboost/run_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "warden/report/sorted.h"
#include "warden/rules/xgboost_names.h"

namespace warden::report::xgboost {
namespace {

// In the order in which they are shown.
constexpr std::array<std::string_view, 5> kImportanceKinds = {"weight", "gain", "cover",
                                                              "total_gain", "total_cover"};

bool MoreIsBetter(std::string_view metric) {
  static constexpr std::string_view kKnown[] = {"auc",  "aucpr", "map",
                                                "ndcg", "pre",   "interval-regression-accuracy"};
  static constexpr std::string_view kParts[] = {"acc", "auc", "f1", "precision", "recall", "r2"};
  const std::string_view base = rules::BaseOfMetric(metric);
  if (std::find(std::begin(kKnown), std::end(kKnown), base) != std::end(kKnown)) return true;
  if (rules::IsXgboostMetric(metric)) return false;
  return std::any_of(std::begin(kParts), std::end(kParts), [&](std::string_view part) {
    return base.find(part) != std::string_view::npos;
  });
}

std::string TextOf(const trial::TensorValue& value) {
  std::string text;
  for (const std::string& one : value.strings) text += (text.empty() ? "" : ", ") + one;
  if (!value.strings.empty() || !HasRealNumbers(value)) return text;
  std::vector<double> numbers(std::min<size_t>(value.ref().count(), 8));
  ReadNumbers(value, 0, numbers.size(), numbers.data());
  for (const double number : numbers) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", number);
  }
  return text;
}

void FindBest(MetricCurve* curve) {
  for (size_t i = 0; i < curve->values.size(); ++i) {
    const double value = curve->values[i];
    if (!std::isfinite(value)) continue;
    const double best = curve->best ? curve->values[*curve->best] : value;
    if (!curve->best || (curve->more_is_better ? value > best : value < best)) curve->best = i;
  }
}

}  // namespace

bool MetricCurve::OfTraining() const { return data.find("train") != std::string::npos; }

double ImportanceKind::Sum() const {
  xgboost::Sum sum;
  for (const Named& feature : features) sum.Add(feature.value);
  return sum.value();
}

std::vector<Step> RunReader::StepsOf(std::string_view tensor) const {
  auto steps = trial_.TensorSteps(tensor);
  if (steps.ok() && !steps.value().empty()) return steps.value();
  steps = trial_.TensorSteps(tensor, Mode::kGlobal, /*include_incomplete=*/true);
  return steps.ok() ? steps.value() : std::vector<Step>();
}

std::optional<double> RunReader::NumberAt(std::string_view tensor, Step step) const {
  const auto value = trial_.Value(tensor, step);
  if (!value.ok() || !HasRealNumbers(value.value()) || value.value().ref().count() != 1) {
    return std::nullopt;
  }
  double number = 0;
  ReadNumbers(value.value(), 0, 1, &number);
  return number;
}

std::vector<std::pair<std::string, std::string>> RunReader::Hyperparameters() const {
  std::vector<std::pair<std::string, std::string>> all;
  const auto names =
      trial_.TensorNames({.regex = {"^" + std::string(rules::kHyperparameters) + "."}});
  if (!names.ok()) return all;
  for (const std::string& name : names.value()) {
    const std::vector<Step> steps = StepsOf(name);
    if (steps.empty()) continue;
    const auto value = trial_.Value(name, steps.back());
    if (!value.ok()) continue;
    all.emplace_back(name.substr(rules::kHyperparameters.size()), TextOf(value.value()));
  }
  return all;
}

std::vector<MetricCurve> RunReader::Curves() const {
  std::vector<MetricCurve> curves;
  for (const std::string& name : rules::MetricsOf(trial_)) {
    const auto parsed = rules::ParseMetricName(name);
    if (!parsed) continue;
    MetricCurve curve{name, parsed->data, parsed->metric, MoreIsBetter(parsed->metric)};
    for (const Step step : StepsOf(name)) {
      const auto value = NumberAt(name, step);
      if (!value) continue;
      curve.steps.push_back(step);
      curve.values.push_back(*value);
    }
    FindBest(&curve);
    if (!curve.steps.empty()) curves.push_back(std::move(curve));
  }
  return curves;
}

std::optional<Importance> RunReader::LastImportance() const {
  const std::string prefix(rules::kFeatureImportance);
  const auto names = trial_.TensorNames({.regex = {"^" + prefix + "."}});
  if (!names.ok() || names.value().empty()) return std::nullopt;
  // A feature that no tree uses is not saved, so the last step is that of any of them.
  std::map<std::string, std::vector<Step>> steps;
  Importance found{-1};
  for (const std::string& name : names.value()) {
    steps[name] = StepsOf(name);
    if (!steps[name].empty()) found.step = std::max(found.step, steps[name].back());
  }
  for (const std::string_view kind : kImportanceKinds) {
    ImportanceKind one{std::string(kind)};
    const std::string begin = prefix + one.kind + "/";
    for (const auto& [name, saved] : steps) {
      if (!name.starts_with(begin) || saved.empty() || saved.back() != found.step) continue;
      const auto value = NumberAt(name, found.step);
      if (value && std::isfinite(*value))
        one.features.push_back({name.substr(begin.size()), *value});
    }
    SortStably(&one.features, [](const Named& a, const Named& b) { return a.value > b.value; });
    if (!one.features.empty()) found.kinds.push_back(std::move(one));
  }
  return found.kinds.empty() ? std::nullopt : std::optional(std::move(found));
}

const std::vector<Step>& RunReader::PredictionSteps() const {
  if (!prediction_steps_) {
    label_steps_ = StepsOf(rules::kLabels);
    prediction_steps_ = label_steps_.empty() ? std::vector<Step>() : StepsOf(rules::kPredictions);
  }
  return *prediction_steps_;
}

std::optional<Step> RunReader::LastLabelStep() const {
  const std::vector<Step> steps = StepsOf(rules::kLabels);
  return steps.empty() ? std::nullopt : std::optional(steps.back());
}

Result<trial::TensorValue> RunReader::LabelsAt(Step step) const {
  return trial_.Value(rules::kLabels, step);
}

Result<Samples> RunReader::SamplesAt(Step step, size_t classes) const {
  PredictionSteps();
  if (label_steps_.empty()) return Status(Code::kNotFound, "no labels were saved");
  const auto after = std::upper_bound(label_steps_.begin(), label_steps_.end(), step);
  auto labels = LabelsAt(after == label_steps_.begin() ? *after : *(after - 1));
  if (!labels.ok()) return labels.status();
  auto predictions = trial_.Value(rules::kPredictions, step);
  if (!predictions.ok()) return predictions.status();
  return Samples::Make(std::move(labels.value()), std::move(predictions.value()), classes);
}

}  // namespace warden::report::xgboost
