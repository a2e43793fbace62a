#include "warden/rules/loss_scaler.h"

#include <fmt/format.h>

#include <algorithm>

#include "warden/rules/finite_statistics.h"

namespace warden::rules {
namespace {

constexpr std::string_view kScale = "training/loss_scale";
constexpr std::string_view kSkipped = "training/scaler_skipped";
// In a row, after a step that was not left out. Each halves the scale: gradients would have to be
// 32 times larger than before.
constexpr double kTooMany = 5;
// Gradients that are infinite at this scale are so without a scaler.
constexpr double kNoScale = 1;

bool IsFinite(TensorView& tensor) {
  const auto found = CountNonFinite(tensor);
  return !found || found->nan + found->inf == 0;
}

}  // namespace

Selector LossScaler::Input() { return {.patterns = {"^training/(loss_scale|scaler_skipped)$"}}; }

void LossScaler::Read(const StepView::Tensors& tensors) {
  for (auto& [name, worker] : workers_) worker.is_scaled = worker.is_new = false;
  for (TensorView* tensor : tensors) {
    if (tensor->name() != kScale && tensor->name() != kSkipped) continue;
    const auto value = Mean(*tensor);
    if (!value) continue;
    Worker& worker = workers_[std::string(tensor->worker())];
    if (tensor->name() == kScale) {
      worker.is_scaled = value->value > 0;
      if (worker.is_scaled) worker.scale = value->value;
    } else {
      worker.is_new = true;
      worker.skipped = value->value;
      worker.has_stepped = worker.has_stepped || value->value == 0;
    }
  }
}

double LossScaler::ScaleOf(std::string_view worker) const {
  const auto found = workers_.find(worker);
  return found == workers_.end() || !found->second.is_scaled ? 1 : found->second.scale;
}

bool LossScaler::Explains(const TensorView& tensor) const {
  if (!tensor.name().starts_with("gradient/")) return false;
  const auto found = workers_.find(tensor.worker());
  return found != workers_.end() && found->second.is_scaled && !IsStuck(found->second);
}

bool LossScaler::LeavesOut(const StepView::Tensors& gradients) const {
  return std::any_of(gradients.begin(), gradients.end(), [this](TensorView* gradient) {
    const auto found = workers_.find(gradient->worker());
    if (found == workers_.end() || !found->second.is_scaled) return false;
    return (found->second.is_new && found->second.skipped > 0) || !IsFinite(*gradient);
  });
}

bool LossScaler::IsSkipping(const Worker& worker) {
  // Of several backward passes before a step, the last one tells whether it was left out.
  return (worker.is_new || worker.is_scaled) && worker.skipped > 0;
}

bool LossScaler::IsStuck(const Worker& worker) {
  if (!IsSkipping(worker)) return false;
  return worker.scale <= kNoScale || (worker.has_stepped && worker.skipped >= kTooMany);
}

bool LossScaler::IsSkipping(std::string_view worker) const {
  const auto found = workers_.find(worker);
  return found != workers_.end() && IsSkipping(found->second);
}

std::vector<LossScaler::Stuck> LossScaler::AllStuck() const {
  std::vector<Stuck> all;
  for (const auto& [name, worker] : workers_) {
    if (!IsStuck(worker)) continue;
    all.push_back({name, worker.skipped,
                   worker.scale <= kNoScale
                       ? fmt::format("gradients are NaN or infinite at a loss scale of {:.3g}, so "
                                     "the scale is not the cause; the scaler leaves out the step",
                                     worker.scale)
                       : fmt::format("gradients are NaN or infinite at {:g} steps in a row, which "
                                     "the loss scaler leaves out (scale {:.3g})",
                                     worker.skipped, worker.scale)});
  }
  return all;
}

}  // namespace warden::rules
