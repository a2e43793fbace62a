#ifndef WARDEN_RULES_LOSS_PLACE_H_
#define WARDEN_RULES_LOSS_PLACE_H_

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
// as "train-rmse" and "validation-rmse". Nothing if neither tells.
std::optional<LossPlace> PlaceOf(std::string_view tensor, Mode mode_of_step);

// Whether it is a metric of XGBoost's that is no loss. The original takes some for losses.
bool RisesWhenBetter(std::string_view tensor);

}  // namespace warden::rules

#endif  // WARDEN_RULES_LOSS_PLACE_H_
