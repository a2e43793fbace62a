#ifndef WARDEN_RULES_LOSS_PLACE_H_
#define WARDEN_RULES_LOSS_PLACE_H_

// Whether a loss belongs to training or evaluation, by the mode of the step or, for XGBoost, by the
// tensor's name. Used by loss.h and by LossPairs, that is, by Overfit and Overtraining.

#include <optional>
#include <string_view>

#include "warden/base/types.h"

namespace warden::rules {

// Whether a loss is of training or of evaluation, and which one of the other kind it belongs to.
struct LossPlace {
  Mode mode = Mode::kTrain;  // Or kEval.
  std::string_view pair;     // Part of the tensor's name. Losses with the same are compared.
};

// Steps in TRAIN and EVAL say it. XGBoost knows no modes: both are saved in the same GLOBAL steps,
// as "train-rmse" and "validation-rmse". Nothing if neither says it. `pair` of the result refers to
// the characters of `tensor`.
std::optional<LossPlace> PlaceOf(std::string_view tensor, Mode mode_of_step);

// Whether it is a metric of XGBoost that is higher for better models (auc, map, ndcg, ...) and so
// not a loss. The original treats some of them as losses.
bool RisesWhenBetter(std::string_view tensor);

}  // namespace warden::rules

#endif  // WARDEN_RULES_LOSS_PLACE_H_
