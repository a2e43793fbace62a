#include "warden/rules/training/training_state.h"

#include <algorithm>
#include <cmath>

#include "warden/rules/finite_statistics.h"
#include "warden/rules/loss_place.h"

namespace warden::rules {
namespace {

constexpr int64_t kFirstUpdates = 60;

}  // namespace

std::vector<Selector> TrainingState::Inputs() {
  return {TrainingLog::Input(), {.collections = {"losses"}}};
}

void TrainingState::Read(const StepView& step) {
  log_.Read(step.Input(0));
  broken_.clear();
  is_new_phase_ = false;
  if (!step.IsTraining()) return;
  const double optimizers = log_.Last("optimizers_created").value_or(0);
  if (optimizers != optimizers_) {
    // Optimizers that are made together, before the first steps, belong to one phase.
    is_new_phase_ = steps_ > 5;
    optimizers_ = optimizers;
    if (is_new_phase_) {
      losses_.clear();
      steps_ = 0;
      first_updates_ = 0;
    }
  }
  if (++steps_ <= kFirstUpdates) {
    first_updates_ = std::max(first_updates_, log_.Now("update_ratio").value_or(0));
  }
  for (TensorView* tensor : step.Input(1)) {
    if (worker_.empty()) worker_ = tensor->worker();
    if (tensor->worker() != worker_ || RisesWhenBetter(tensor->name())) continue;
    const auto loss = Mean(*tensor);
    if (loss) {
      const auto found = losses_.find(tensor->name());
      auto& curve = found != losses_.end()
                        ? found->second
                        : losses_.emplace(std::string(tensor->name()), LossCurve()).first->second;
      curve.Add(loss->value);
    }
    const auto bad = CountNonFinite(*tensor);
    if (bad && bad->nan + bad->inf > 0) broken_.emplace_back(tensor->name());
  }
}

bool TrainingState::IsFlat(double share, int64_t least) const {
  bool any = false;
  for (const auto& [name, curve] : losses_) {
    if (curve.count() < least) continue;
    any = true;
    if (curve.fallen() >= share) return false;
  }
  return any;
}

int64_t TrainingState::most_losses() const {
  int64_t most = 0;
  for (const auto& [name, curve] : losses_) most = std::max(most, curve.count());
  return most;
}

}  // namespace warden::rules
