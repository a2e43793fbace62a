#ifndef WARDEN_REPORT_XGBOOST_JUDGEMENTS_H_
#define WARDEN_REPORT_XGBOOST_JUDGEMENTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/report/xgboost/figures.h"

namespace warden::report::xgboost {

// What figures mean. Sections explain them, and what to do first follows from them.

inline constexpr double kMuchImbalance = 10;  // As the rule ClassImbalance has it.
inline constexpr double kMuchSkew = 1;

struct Imbalance {
  double most = 0, least = 0;  // Labels.
  double ratio = 1;
};
// Of the most frequent class to the rarest; nothing unless there are two.
std::optional<Imbalance> ImbalanceOf(const LabelFigures& labels);

enum class Trend : uint8_t {
  kTooShort,      // To tell.
  kNotImproving,  // Never better than at the beginning.
  kOverfit,       // Was better before.
  kImproving,     // Still.
  kSettled,
};
struct Fit {
  Trend trend = Trend::kTooShort;
  Step best_step = 0;
  double best = 0, last = 0;
  double lost = 0;  // Since the best step, as a share of what had been gained.
};
Fit FitOf(const MetricCurve& curve);

// The curves of one metric, those of training first.
struct MetricGroup {
  std::string metric;
  std::vector<const MetricCurve*> curves = {};
  const MetricCurve* training = nullptr;
  const MetricCurve* validation = nullptr;  // The first that is not of training.
};
std::vector<MetricGroup> GroupsOf(const RunFigures& figures);
// The metric to judge the fit by: the first loss with validation data; null if there is none.
const MetricCurve* DecidingCurve(const RunFigures& figures);

// The class that is recognised worst, among those that have rows; null without any.
const ClassFigures* WorstClass(const Classification& all);

}  // namespace warden::report::xgboost

#endif  // WARDEN_REPORT_XGBOOST_JUDGEMENTS_H_
