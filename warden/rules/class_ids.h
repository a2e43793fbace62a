#ifndef WARDEN_RULES_CLASS_IDS_H_
#define WARDEN_RULES_CLASS_IDS_H_

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

// Labels and predictions as numbers of classes.

// In the place of a value that is not finite, or too large to be the number of a class.
inline constexpr int64_t kNoClass = std::numeric_limits<int64_t>::min();

struct ClassIds {
  std::vector<int64_t> ids;  // One for each sample.
  std::string_view why;      // Not empty: there are none, for this reason (as for Skip).
};

// Whole numbers; for one_hot the place of the largest along the last axis.
ClassIds LabelIds(const trial::TensorValue* value, bool one_hot = false);

struct PredictionOptions {
  bool arg_max = false;               // Along the last axis.
  std::optional<int64_t> categories;  // None: as many as the labels tell.
};
// Predictions for these labels, one for each. Whole numbers are ids, others are cut at 0.5 (more is
// class 1) if there are at most two categories, else rounded. Where there is a row of scores for
// each label the place of the largest is taken without being asked for.
ClassIds PredictedIds(const trial::TensorValue* value, std::span<const int64_t> labels,
                      const PredictionOptions& options);

// Labels with the predictions for them, which may be missing.
struct LabelPair {
  TensorView* labels = nullptr;
  TensorView* predictions = nullptr;
};
// Of a worker that saved as many of the one as of the other the first go with the first, and so on.
// Otherwise it cannot be told, and its predictions are skipped.
std::vector<LabelPair> PairLabels(const StepView::Tensors& labels,
                                  const StepView::Tensors& predictions, Verdicts* verdicts);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CLASS_IDS_H_
