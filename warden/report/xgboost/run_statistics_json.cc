// xgboost_report.json: every number as it was computed. Numbers that are not finite become null,
// for other readers know no NaN.

#include "warden/base/json.h"
#include "warden/report/xgboost/run_statistics.h"

namespace warden::report::xgboost {
namespace {

Json Nullable(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json ListOf(const Values& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(Nullable(value));
  return list;
}

Json CurvesJson(const std::vector<MetricCurve>& curves) {
  Json list = Json::array();
  for (const MetricCurve& curve : curves) {
    list.push_back({{"name", curve.tensor},
                    {"data", curve.data},
                    {"metric", curve.metric},
                    {"more_is_better", curve.more_is_better},
                    {"steps", curve.steps},
                    {"values", curve.values},
                    {"best_step", curve.best ? Json(curve.steps[*curve.best]) : Json()},
                    {"best", curve.best ? Json(curve.values[*curve.best]) : Json()}});
  }
  return list;
}

Json ImportanceJson(const Importance& importance) {
  Json kinds = Json::object();
  for (const ImportanceKind& kind : importance.kinds) {
    Json& features = kinds[kind.kind] = Json::array();
    for (const Named& one : kind.features) features.push_back({one.name, one.value});
  }
  return {{"step", importance.step}, {"kinds", std::move(kinds)}};
}

Json CountsJson(const Counts& counts) {
  return {{"edges", counts.edges}, {"counts", counts.counts}};
}

Json LabelsJson(const LabelStatistics& labels) {
  Json json = {{"step", labels.step},
               {"rows", labels.rows},
               {"not_finite", labels.not_finite},
               {"min", labels.min},
               {"max", labels.max},
               {"mean", labels.mean},
               {"deviation", labels.deviation},
               {"skewness", labels.skewness}};
  Json& classes = json["classes"] = Json::array();
  for (const auto& [label, count] : labels.classes) classes.push_back({label, count});
  json["histogram"] = labels.histogram.counts.empty() ? Json() : CountsJson(labels.histogram);
  return json;
}

Json AveragesJson(const Averages& averages) {
  return {{"precision", averages.precision}, {"recall", averages.recall}, {"f1", averages.f1}};
}

Json ClassificationJson(const Classification& all) {
  Json classes = Json::array();
  for (const ClassStatistics& one : all.classes) {
    classes.push_back({{"label", one.label},
                       {"support", one.support},
                       {"predicted", one.predicted},
                       {"correct", one.correct},
                       {"precision", one.precision},
                       {"recall", one.recall},
                       {"f1", one.f1}});
  }
  Json matrix = Json::array();
  for (size_t row = 0; row * all.classes.size() < all.matrix.size(); ++row) {
    const auto begin = all.matrix.begin() + static_cast<ptrdiff_t>(row * all.classes.size());
    matrix.push_back(std::vector<int64_t>(begin, begin + std::ssize(all.classes)));
  }
  return {{"step", all.step},
          {"rows", all.rows},
          {"left_out", all.left_out},
          {"classes", std::move(classes)},
          {"matrix", all.matrix.empty() ? Json() : std::move(matrix)},
          {"accuracy", all.accuracy},
          {"micro", AveragesJson(all.micro)},
          {"macro", AveragesJson(all.macro)},
          {"weighted", AveragesJson(all.weighted)},
          {"log_loss", Nullable(all.log_loss)}};
}

Json AccuracyJson(const ClassAccuracy& over) {
  Json classes = Json::array();
  for (const auto& [label, values] : over.classes) {
    classes.push_back({{"label", label}, {"accuracy", ListOf(values)}});
  }
  return {{"steps", over.steps}, {"classes", std::move(classes)}};
}

Json RocJson(const Roc& roc) {
  const auto rate = [](int64_t part, int64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  Json points = Json::array();
  for (const RocPoint& point : roc.points) {
    points.push_back({{"threshold", point.threshold},
                      {"true_positives", point.true_positives},
                      {"false_positives", point.false_positives},
                      {"tpr", rate(point.true_positives, roc.positives)},
                      {"fpr", rate(point.false_positives, roc.negatives)}});
  }
  Json best = roc.points.empty() ? Json() : points[roc.best];
  return {{"label", roc.label},       {"positives", roc.positives}, {"negatives", roc.negatives},
          {"auc", Nullable(roc.auc)}, {"best", std::move(best)},    {"points", std::move(points)}};
}

Json ResidualsJson(const Residuals& found) {
  return {{"step", found.step},
          {"rows", found.rows},
          {"left_out", found.left_out},
          {"mean", found.mean},
          {"deviation", found.deviation},
          {"skewness", found.skewness},
          {"kurtosis", found.kurtosis},
          {"min", found.min},
          {"median", found.median},
          {"max", found.max},
          {"mean_absolute_error", found.mean_absolute},
          {"root_mean_square_error", found.root_mean_square},
          {"r2", Nullable(found.r2)},
          {"within_one_deviation", found.within_one},
          {"within_two_deviations", found.within_two},
          {"histogram", CountsJson(found.histogram)}};
}

Json BinsJson(const BinErrors& bins) {
  Json errors = Json::array();
  for (const Values& values : bins.mean_absolute) errors.push_back(ListOf(values));
  return {{"edges", bins.bins.edges},
          {"counts", bins.bins.counts},
          {"steps", bins.steps},
          {"mean_absolute_error", std::move(errors)}};
}

}  // namespace

Json ToJson(const RunStatistics& statistics) {
  Json parameters = Json::object();
  for (const auto& [name, text] : statistics.hyperparameters) parameters[name] = text;
  const auto step = [](const std::optional<Step>& of) { return of ? Json(*of) : Json(); };
  Json roc = Json::array();
  for (const Roc& one : statistics.roc) roc.push_back(RocJson(one));
  const auto part = [](const auto& of, auto to_json) { return of ? to_json(*of) : Json(); };
  return {{"task", TaskName(statistics.recognised.task)},
          {"recognised", statistics.recognised.how},
          {"objective", statistics.recognised.objective},
          {"predictions", ScoresName(statistics.recognised.scores)},
          {"steps",
           {{"saved", statistics.saved_steps},
            {"first", step(statistics.first_step)},
            {"last", step(statistics.last_step)}}},
          {"workers", statistics.workers},
          {"hyperparameters", std::move(parameters)},
          {"metrics", CurvesJson(statistics.curves)},
          {"feature_importance", part(statistics.importance, ImportanceJson)},
          {"labels", part(statistics.labels, LabelsJson)},
          {"classification", part(statistics.classification, ClassificationJson)},
          {"class_accuracy", part(statistics.class_accuracy, AccuracyJson)},
          {"roc", std::move(roc)},
          {"residuals", part(statistics.residuals, ResidualsJson)},
          {"label_bins", part(statistics.bins, BinsJson)},
          {"missing",
           {{"labels", statistics.why_no_labels},
            {"predictions", statistics.why_no_predictions},
            {"roc", statistics.why_no_roc}}}};
}

}  // namespace warden::report::xgboost
