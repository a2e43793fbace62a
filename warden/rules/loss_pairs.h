#ifndef WARDEN_RULES_LOSS_PAIRS_H_
#define WARDEN_RULES_LOSS_PAIRS_H_

// Pairs the losses of training and evaluation, so that a rule can compare them. Frameworks name
// them in three ways: the same name in both modes, "loss" and "val_loss", or, in XGBoost,
// "train-rmse" and "validation-rmse" in the same steps. LossPlace (loss_place.h) says which loss is
// meant, and this finds what it is to be compared with.

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "warden/base/types.h"
#include "warden/rules/loss_place.h"
#include "warden/rules/tensor_view.h"

namespace warden::rules {

// What a rule remembers of losses in training and in evaluation, which it compares: a T for each
// loss, worker and mode. Used by Overfit and Overtraining. Belongs to one rule and one engine,
// whose StepTensors own the names that are the keys here. T is a value type that can be
// value-initialized: a mean, a best value. Memory grows with the number of losses, not of steps.
// For one thread.
template <class T>
class LossPairs {
 public:
  // One loss of one worker in both modes.
  struct Loss {
    TensorView tensor;  // Without values: only to say which one, in EVAL where it has two names.
    std::optional<T> train;
    std::optional<T> eval;

    // Every mode but kTrain counts as evaluation.
    std::optional<T>& In(Mode mode) { return mode == Mode::kTrain ? train : eval; }
  };

  // What is kept of this loss in the mode of `place`; value-initialized the first time. The
  // reference stays valid as long as this object.
  T& Of(const TensorView& tensor, const LossPlace& place) {
    const std::pair key(place.pair, tensor.worker());
    const TensorView bare(tensor.id(), tensor.name(), tensor.worker(), {}, nullptr);
    Loss& loss = losses_.try_emplace(key, Loss{bare, std::nullopt, std::nullopt}).first->second;
    if (place.mode == Mode::kEval) loss.tensor = bare;
    std::optional<T>& kept = loss.In(place.mode);
    if (!kept) kept.emplace();
    return *kept;
  }

  // The entry of both modes. REQUIRES: Of was called for this tensor.
  Loss& At(const TensorView& tensor, const LossPlace& place) {
    return losses_.find({place.pair, tensor.worker()})->second;
  }

  // All entries by name, then worker; valid as long as this object.
  std::vector<Loss*> All() {
    std::vector<Loss*> all;
    for (auto& [key, loss] : losses_) all.push_back(&loss);
    return all;
  }

  // What a loss in one mode is compared with: itself in the other mode, `other`. Where frameworks
  // call the two by different names ("loss", "val_loss") it is every loss of the same worker that
  // was seen in the other mode alone. Empty if there is none.
  std::vector<T*> Counterparts(Loss& loss, Mode other) {
    if (loss.In(other)) return {&*loss.In(other)};
    const Mode own = other == Mode::kTrain ? Mode::kEval : Mode::kTrain;
    std::vector<T*> found;
    for (auto& [key, candidate] : losses_) {
      const bool matches = key.second == loss.tensor.worker() && !candidate.In(own);
      if (matches && candidate.In(other)) found.push_back(&*candidate.In(other));
    }
    return found;
  }

 private:
  // The names are the engine's, which outlives its rules' use of them.
  std::map<std::pair<std::string_view, std::string_view>, Loss> losses_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_LOSS_PAIRS_H_
