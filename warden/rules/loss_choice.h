#ifndef WARDEN_RULES_LOSS_CHOICE_H_
#define WARDEN_RULES_LOSS_CHOICE_H_

// Which of the tensors that a user selected can be losses. LossNotDecreasing and Overfit accept any
// pattern, also ".*", and SageMaker documents that only scalars can be matched: weights,
// activations and learning rates that a pattern happens to match must not be taken for losses.

#include <cstdint>
#include <string_view>
#include <vector>

#include "warden/rules/param.h"
#include "warden/rules/per_tensor.h"
#include "warden/rules/step_view.h"
#include "warden/rules/verdicts.h"

namespace warden::rules {

// Parameters of rules that use LossChoice, in place of kCollectionNames and kTensorRegex.
inline constexpr Param kLossCollections = {
    "collection_names", ParamType::kNames, "",
    "Collections to check; of others than losses only scalars are checked"};
inline constexpr Param kLossRegex = {
    "tensor_regex", ParamType::kPatterns, "",
    "Scalars to check: regular expressions matched anywhere in the name"};

// Why a tensor that is not in the collection "losses" cannot be a loss, by its name: a metric for
// which higher is better ("val_accuracy"), a counter or a learning rate. For Verdicts::Skip. Empty
// if the name does not say so. A literal.
std::string_view WhyNotALoss(std::string_view tensor);

// Chooses the losses of a step among the tensors of one input. Tensors of the collection "losses"
// always count; of others only single numbers that are neither parameters, gradients nor what
// WhyNotALoss names. Belongs to one rule and one run.
class LossChoice {
 public:
  // The losses among `tensors`, in the same order. Skips the others, each with the reason. Reads
  // the value of a tensor that is not in "losses" until its kind is known.
  std::vector<TensorView*> Of(const StepView& step, const StepView::Tensors& tensors,
                              Verdicts* verdicts);

 private:
  enum class Kind : uint8_t { kUnknown, kIsLoss, kOther };
  struct Known {
    Kind kind = Kind::kUnknown;
    std::string_view why;  // Of kOther: a literal.
  };

  static Known Classify(const StepView& step, TensorView& tensor);

  PerTensor<Known> known_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_LOSS_CHOICE_H_
