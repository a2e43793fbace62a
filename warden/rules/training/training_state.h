#ifndef WARDEN_RULES_TRAINING_TRAINING_STATE_H_
#define WARDEN_RULES_TRAINING_TRAINING_STATE_H_

#include <map>
#include <string>
#include <vector>

#include "warden/rules/rule.h"
#include "warden/rules/training/loss_curve.h"
#include "warden/rules/training/training_log.h"

namespace warden::rules {

// How a training stands at a step: what was observed of its loop, and the course of its losses
// since the newest optimizer was created. Scripts train several models one after the other, or in
// phases; each starts over. Belongs to one rule.
//
//   std::vector<Selector> inputs() const override { return TrainingState::Inputs(); }
//   state_.Read(step);
//   if (state_.IsFlat(0.1)) ...
class TrainingState {
 public:
  // The first two inputs of a rule that has a TrainingState.
  static std::vector<Selector> Inputs();

  // Takes in a step.
  void Read(const StepView& step);

  const TrainingLog& log() const { return log_; }
  // A new phase began at the step that was read last.
  bool is_new_phase() const { return is_new_phase_; }
  // Training steps in this phase.
  int64_t steps() const { return steps_; }
  // The losses of this phase by name; empty without losses.
  const std::map<std::string, LossCurve, std::less<>>& losses() const { return losses_; }
  // Losses that were not finite at the step that was read last.
  const std::vector<std::string>& broken() const { return broken_; }

  // The largest share of its size by which one of the first updates of the phase changed a weight.
  double first_updates() const { return first_updates_; }

  // There are enough losses to say so, and none of them has fallen by this share of where it
  // started.
  bool IsFlat(double share, int64_t least = 60) const;
  // The largest number of losses of one name in this phase.
  int64_t most_losses() const;

 private:
  TrainingLog log_;
  std::map<std::string, LossCurve, std::less<>> losses_;
  std::vector<std::string> broken_;
  std::string worker_;  // Whose losses count: the first that saved one.
  double optimizers_ = 0;
  double first_updates_ = 0;
  bool is_new_phase_ = false;
  int64_t steps_ = 0;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_TRAINING_TRAINING_STATE_H_
