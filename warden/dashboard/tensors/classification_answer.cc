#include "warden/dashboard/tensors/classification_answer.h"

#include <utility>
#include <vector>

#include "warden/base/json.h"
#include "warden/dashboard/core/run_endpoints.h"
#include "warden/dashboard/tensors/classifier_quality.h"
#include "warden/view/wire/columns.h"

namespace warden::dashboard {
namespace {

// The points of all curves, one after the other.
struct CurveColumns {
  std::vector<double> thresholds, true_positives, false_positives;
};

Json AddCurve(const ClassifierQuality::Curve& one, CurveColumns* columns) {
  const stats::RankingCurve& curve = one.curve;
  const auto or_null = [](const std::optional<double>& area) {
    return area ? Json(*area) : Json();
  };
  Json json = {{"class", one.id},
               {"positives", curve.positives},
               {"negatives", curve.negatives},
               {"auc", or_null(curve.auc)},
               {"average_precision", or_null(curve.average_precision)},
               {"best", curve.best},
               {"begin", columns->thresholds.size()},
               {"points", curve.points.size()}};
  for (const stats::RankingPoint& point : curve.points) {
    columns->thresholds.push_back(point.threshold);
    columns->true_positives.push_back(static_cast<double>(point.true_positives));
    columns->false_positives.push_back(static_cast<double>(point.false_positives));
  }
  return json;
}

}  // namespace

http::Response ClassificationAnswer(const trial::TensorValue& labels,
                                    const trial::TensorValue& predictions, Json header) {
  const auto made = EvaluateClassifier(labels, predictions);
  if (!made.ok()) return ErrorAnswer(made.status());
  const ClassifierQuality& quality = made.value();
  header["scores"] = ScoreKindName(quality.kind);
  header["samples"] = quality.samples;
  header["left_out"] = quality.left_out;
  header["all_classes"] = quality.all_classes;
  header["accuracy"] = quality.accuracy;
  header["why_no_curves"] = quality.why_no_curves;
  header["calibration_error"] = quality.calibration_error;
  Json& classes = header["classes"] = Json::array();
  for (const ClassTallyRow& row : quality.classes) {
    classes.push_back({{"id", row.id},
                       {"labeled", row.labeled},
                       {"predicted", row.predicted},
                       {"right", row.right}});
  }
  Json& calibration = header["calibration"] = Json::array();
  for (const CalibrationBin& bin : quality.calibration) {
    calibration.push_back(
        {{"count", bin.count}, {"confidence", bin.confidence}, {"right", bin.right}});
  }
  CurveColumns points;
  Json& curves = header["curves"] = Json::array();
  for (const ClassifierQuality::Curve& curve : quality.curves) {
    curves.push_back(AddCurve(curve, &points));
  }
  const std::vector<double> matrix(quality.matrix.begin(), quality.matrix.end());
  view::Columns columns;
  columns.Add("matrix", matrix);
  columns.Add("thresholds", points.thresholds);
  columns.Add("true_positives", points.true_positives);
  columns.Add("false_positives", points.false_positives);
  return ColumnsAnswer(columns.Encode(header));
}

}  // namespace warden::dashboard
