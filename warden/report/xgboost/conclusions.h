#ifndef WARDEN_REPORT_XGBOOST_CONCLUSIONS_H_
#define WARDEN_REPORT_XGBOOST_CONCLUSIONS_H_

// What the numbers of a training mean: imbalance, overfitting, the worst class. Sections explain
// them, and "What to do first" follows from them. Pure functions; pointers in the results are into
// the argument, which outlives them.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/report/xgboost/run_statistics.h"

namespace warden::report::xgboost {

inline constexpr double kMuchImbalance = 10;  // A ratio; as the rule ClassImbalance has it.
// Absolute skewness of labels from which a section mentions it.
inline constexpr double kMuchSkew = 1;

// How unequal classes are; ratio is 1 or more. most and least are the labels of these classes, not
// their counts.
struct Imbalance {
  double most = 0, least = 0;  // Labels.
  double ratio = 1;
};
// Of the most frequent class to the rarest; nothing unless there are two classes.
std::optional<Imbalance> ImbalanceOf(const LabelStatistics& labels);

// Where a curve is heading. "Gained" below is the distance from the first value to the best one.
enum class Trend : uint8_t {
  kTooShort,      // Fewer than 4 finite values.
  kNotImproving,  // Never better than at the beginning.
  kOverfit,       // Was better before.
  kImproving,     // Still.
  kSettled,       // Neither: hardly changes any more.
};
// A curve in a few numbers. With kTooShort, best and last are 0 if there is no finite value.
struct Fit {
  Trend trend = Trend::kTooShort;
  Step best_step = 0;
  double best = 0, last = 0;
  double lost = 0;  // Since the best step, as a share of what had been gained.
};
// Compares the last value with the best one and with the first: losing more than 5 % of what had
// been gained is overfitting, and so is losing it steadily over ten values or more, from 0.5 % on.
// Values that are not finite are skipped. Improving means that the best value lies in the last
// tenth of the steps and that the last fifth still changed by more than 5 % of what was gained.
Fit FitOf(const MetricCurve& curve);

// The curves of one metric, those of training first. training or validation is null if there is
// none.
struct MetricGroup {
  std::string metric;
  std::vector<const MetricCurve*> curves = {};
  const MetricCurve* training = nullptr;
  const MetricCurve* validation = nullptr;  // The first that is not of training.
};
// In the order in which the metrics first occur.
std::vector<MetricGroup> GroupsOf(const RunStatistics& statistics);
// The curve by which the fit is evaluated: the first loss with validation data, or else the first
// metric with such data; null if there is none. A loss tells more than an accuracy, which may stay
// the same while predictions get worse.
const MetricCurve* DecidingCurve(const RunStatistics& statistics);

// The class with the lowest recall among those that have rows; null without any.
const ClassStatistics* WorstClass(const Classification& all);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_CONCLUSIONS_H_
