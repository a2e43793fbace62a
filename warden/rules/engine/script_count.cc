#include "warden/rules/engine/script_count.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace warden::rules {
namespace {

// The number that was saved last until the step; nothing if there is none.
std::optional<int64_t> LastUntil(const trial::Trial& trial, std::string_view tensor, Step step) {
  const auto steps = trial.TensorSteps(tensor);
  if (!steps.ok()) return std::nullopt;
  const auto after = std::upper_bound(steps.value().begin(), steps.value().end(), step);
  if (after == steps.value().begin()) return std::nullopt;
  const auto value = trial.ReductionValue(tensor, *std::prev(after), {ReductionOp::kMax, false});
  if (!value.ok() || !(value.value() >= 0 && value.value() < 1e15)) return std::nullopt;
  return std::llround(value.value());
}

}  // namespace

void ScriptCount::Complete(const trial::Trial& trial, Finding* finding) {
  if (finding->step != step_) {
    step_ = finding->step;
    optimizer_step_ = LastUntil(trial, "training/optimizer_step", step_);
    epoch_ = LastUntil(trial, "training/epoch", step_);
  }
  finding->optimizer_step = optimizer_step_;
  finding->epoch = epoch_;
}

}  // namespace warden::rules
