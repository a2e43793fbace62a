#ifndef WARDEN_RULES_CLASS_IDS_H_
#define WARDEN_RULES_CLASS_IDS_H_

// Labels and predictions of a classifier as class ids. Used by the rules ClassImbalance and
// Confusion; the ids go into ClassTally and ConfusionCounts.
//
//   const ClassIds labels = LabelIds(tensor->Raw());
//   if (!labels.why.empty()) return verdicts->Skip(*tensor, labels.why);

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "warden/rules/step_view.h"
#include "warden/rules/verdicts.h"
#include "warden/trial/tensor_value.h"

namespace warden::rules {

// In place of a value that is not finite, or too large to be a class id (2^53 or more).
inline constexpr int64_t kNoClass = std::numeric_limits<int64_t>::min();

// Class ids of one tensor, or why there are none.
struct ClassIds {
  std::vector<int64_t> ids;  // One for each sample.
  std::string_view why;      // Not empty: a literal for Verdicts::Skip, and `ids` is empty.
};

// Labels that are whole numbers; with one_hot the position of the largest along the last axis. A
// null value means that it was not saved. Labels that are not whole numbers are refused.
ClassIds LabelIds(const trial::TensorValue* value, bool one_hot = false);

// How predictions become class ids.
struct PredictionOptions {
  bool arg_max = false;               // Along the last axis.
  std::optional<int64_t> categories;  // None: as many as the labels tell.
};
// Predictions for these labels, one for each. Whole numbers are ids; others are cut at 0.5 (more is
// class 1) if there are at most two categories, else rounded. Where there is a row of scores for
// each label, the position of the largest is taken even without arg_max. A different number of
// predictions than labels is refused.
ClassIds PredictedIds(const trial::TensorValue* value, std::span<const int64_t> labels,
                      const PredictionOptions& options);

// Labels with the predictions for them, which may be missing (null). Not owned: valid as the step
// is.
struct LabelPair {
  TensorView* labels = nullptr;
  TensorView* predictions = nullptr;
};
// Pairs the tensors of each worker by position, if it saved as many of the one as of the other.
// Otherwise it is unknown which belong together, and its predictions are skipped.
std::vector<LabelPair> PairLabels(const StepView::Tensors& labels,
                                  const StepView::Tensors& predictions, Verdicts* verdicts);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CLASS_IDS_H_
