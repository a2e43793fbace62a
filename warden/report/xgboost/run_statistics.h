#ifndef WARDEN_REPORT_XGBOOST_RUN_STATISTICS_H_
#define WARDEN_REPORT_XGBOOST_RUN_STATISTICS_H_

// Every number of the report on an XGBoost training, in full precision, as plain values: ReadRun
// (read_run.h) computes them, the sections show them, and xgboost_report.json has them all. What
// could not be computed is left out, with the reason (why_...) where a reader would look for it.
// Steps are boosting rounds.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/base/types.h"
#include "warden/report/charts.h"
#include "warden/stats/ranking_curve.h"

namespace warden::report::xgboost {

// What the training learns. By the saved objective where there is one, otherwise by the names of
// metrics and the labels.
enum class Task : uint8_t { kUnknown, kBinary, kMulticlass, kRegression, kRanking, kSurvival };
std::string_view TaskName(Task task);  // "binary classification".
// Whether predictions are classes, so that confusion matrix and ROC apply.
inline bool Classifies(Task task) { return task == Task::kBinary || task == Task::kMulticlass; }

// What a prediction is.
enum class Scores : uint8_t {
  kValue,        // Of a regression, or anything that is not a class.
  kProbability,  // Of class 1.
  kMargin,       // The same before the logistic function.
  kClass,        // The class itself.
  kRow,          // A probability for each class.
};
// "probability of each class": for people.
std::string_view ScoresName(Scores scores);

// The task and how it was recognized; see Recognise (model_task.h).
struct Recognised {
  Task task = Task::kUnknown;
  Scores scores = Scores::kValue;
  std::string objective;  // Empty: it was not saved.
  std::string how;        // A sentence.
};

// One metric of one set of data over the rounds. Named as XGBoost prints it: data and metric with a
// dash between.
struct MetricCurve {
  std::string tensor;  // "validation-rmse".
  std::string data;
  std::string metric;
  // Whether a larger value is better, by the metric's name: accuracy and area under a curve are.
  bool more_is_better = false;
  std::vector<Step> steps = {};
  // One for each of `steps`, as it was saved: may be NaN or infinite.
  std::vector<double> values = {};
  // Index of the first of the best values, in the direction of more_is_better; none if no value is
  // finite.
  std::optional<size_t> best = {};

  // Whether its data is the training's own, by name: has "train" in it.
  bool OfTraining() const;
};

// How much each feature matters, by one of XGBoost's measures.
struct ImportanceKind {
  std::string kind;                  // "gain".
  std::vector<Named> features = {};  // As saved; the largest first.
  // Of all features: shares in the report are relative to it.
  double Sum() const;
};
// All measures, at the last step that has any.
struct Importance {
  Step step = 0;
  std::vector<ImportanceKind> kinds = {};  // In the order in which they are shown.
};

// How many values lie between one edge and the next. edges has one more element than counts, unless
// both are empty; they ascend. A bin includes its lower edge, the last one both.
struct Counts {
  std::vector<double> edges = {};
  std::vector<int64_t> counts = {};
};

// The labels of the last step that has them. At most one of classes and histogram is filled; none
// if no label is finite.
struct LabelStatistics {
  Step step = 0;
  int64_t rows = 0;                                      // All of them.
  int64_t not_finite = 0;                                // Left out below.
  std::vector<std::pair<double, int64_t>> classes = {};  // Of classification: label, how often.
  Counts histogram = {};                                 // Of everything else.
  double min = 0, max = 0, mean = 0, deviation = 0, skewness = 0;
};

// One class, against all others.
struct ClassStatistics {
  int64_t label = 0;
  int64_t support = 0;  // Rows of this class.
  // Rows that were taken for it, rightly or not.
  int64_t predicted = 0;
  int64_t correct = 0;
  double precision = 0, recall = 0, f1 = 0;  // 0 where there is nothing to divide by.
};
// Over all classes; micro, macro and weighted as scikit-learn defines them.
struct Averages {
  double precision = 0, recall = 0, f1 = 0;
};
// How well the classes were predicted at one step. In a binary task a probability above 0.5 counts
// as class 1.
struct Classification {
  Step step = 0;
  int64_t rows = 0;
  int64_t left_out = 0;                       // Not finite, or labels that are not classes.
  std::vector<ClassStatistics> classes = {};  // All that occur in labels or predictions, ascending.
  std::vector<int64_t> matrix = {};           // Label by prediction; empty if there are too many.
  double accuracy = 0;
  Averages micro = {}, macro = {}, weighted = {};
  // Mean negative logarithm of the probability of the right class; none if predictions are classes,
  // or a label is not one of theirs.
  std::optional<double> log_loss = {};
};

// Of each class, the share of its rows that is predicted right, over the saved steps (at most 200).
// A class without rows at a step has nothing there.
struct ClassAccuracy {
  std::vector<Step> steps = {};
  // By label, ascending; values by step.
  std::vector<std::pair<int64_t, Values>> classes = {};
};

using RocPoint = stats::RankingPoint;
// The curve of one class against the rest; points from the highest threshold to the lowest.
struct Roc {
  int64_t label = 0;  // The positive class.
  int64_t positives = 0, negatives = 0;
  // Area under the curve, 0 to 1; none if there are no positives or no negatives.
  std::optional<double> auc = {};
  std::vector<RocPoint> points = {};
  size_t best = 0;  // The point of the largest true minus false positive rate.
};

// What a regression got wrong at one step. Deviation and moments are those of the population.
struct Residuals {  // Label minus prediction.
  Step step = 0;
  int64_t rows = 0;
  int64_t left_out = 0;
  double mean = 0, deviation = 0, skewness = 0, kurtosis = 0;  // Kurtosis: 0 of a normal one.
  double min = 0, median = 0, max = 0;
  double mean_absolute = 0, root_mean_square = 0;
  // Coefficient of determination; none with fewer than two rows.
  std::optional<double> r2 = {};
  // Shares, 0 to 1, within one and two deviations around the mean: 0.68 and 0.95 of a normal one.
  double within_one = 0, within_two = 0;
  Counts histogram = {};  // The outermost hold what lies beyond.
};

// Where along the labels a regression is wrong, over the saved steps. To see whether large labels
// are predicted worse than small ones.
struct BinErrors {
  Counts bins = {};  // Of the labels at the last step.
  std::vector<Step> steps = {};
  std::vector<Values> mean_absolute = {};  // By bin, then step.
};

// All of it. Optional parts are empty if the task does not have them, or if data is missing: then a
// why_... says which.
struct RunStatistics {
  Recognised recognised;
  std::vector<std::pair<std::string, std::string>> hyperparameters = {};  // As text, by name.
  // Of a distributed training; the first one's values are shown.
  std::vector<std::string> workers = {};
  // Steps at which anything was saved, and the first and last of them, complete or not.
  int64_t saved_steps = 0;
  std::optional<Step> first_step = {}, last_step = {};
  std::vector<MetricCurve> curves = {};
  std::optional<Importance> importance = {};
  std::optional<LabelStatistics> labels = {};
  std::string why_no_labels = {};
  std::optional<Classification> classification = {};
  std::optional<ClassAccuracy> class_accuracy = {};
  std::vector<Roc> roc = {};  // One; of several classes one for each against the rest.
  std::string why_no_roc = {};
  std::optional<Residuals> residuals = {};
  std::optional<BinErrors> bins = {};
  std::string why_no_predictions = {};  // What is missing or wrong with them.
};

// The content of xgboost_report.json. Numbers that are not finite become null when it is dumped.
Json ToJson(const RunStatistics& statistics);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_RUN_STATISTICS_H_
