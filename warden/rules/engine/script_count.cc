#include "warden/rules/engine/script_count.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace warden::rules {
namespace {

// Longer than steps are left out to keep to a budget: the optimizer may have stopped.
constexpr Step kMostUnseen = 100;

// Numbers that a run has at some of its steps.
class SavedCount {
 public:
  SavedCount(const trial::Trial& trial, std::string_view tensor) : trial_(trial), tensor_(tensor) {
    if (auto steps = trial.TensorSteps(tensor); steps.ok()) steps_ = std::move(steps).value();
  }

  // The number that was saved last until the step; nothing if there is none.
  std::optional<int64_t> LastUntil(Step step) const { return At(IndexUntil(step)); }

  // The number at a step of training, also if it was not saved there.
  std::optional<int64_t> AtTrainingStep(Step step) const {
    const auto last = IndexUntil(step);
    const auto count = At(last);
    const auto unseen = count ? TrainingSteps(steps_[*last], step) : std::nullopt;
    if (!unseen || *unseen <= 0) return count;
    const size_t next = *last + 1;
    const bool is_between = next < steps_.size();
    if (!is_between && (*last == 0 || *unseen > kMostUnseen)) return count;
    const size_t begin = is_between ? *last : *last - 1;
    const auto first = At(begin);
    const auto second = At(begin + 1);
    const auto distance = TrainingSteps(steps_[begin], steps_[begin + 1]);
    if (!first || !second || *second < *first || !distance || *distance <= 0) return count;
    return *count + (*second - *first) * *unseen / *distance;
  }

 private:
  // Of the last step with a number, until this one.
  std::optional<size_t> IndexUntil(Step step) const {
    const auto after = std::upper_bound(steps_.begin(), steps_.end(), step);
    if (after == steps_.begin()) return std::nullopt;
    return static_cast<size_t>(after - steps_.begin()) - 1;
  }

  std::optional<int64_t> At(std::optional<size_t> index) const {
    if (!index) return std::nullopt;
    const auto value = trial_.ReductionValue(tensor_, steps_[*index], {ReductionOp::kMax, false});
    if (!value.ok() || !(value.value() >= 0 && value.value() < 1e15)) return std::nullopt;
    return std::llround(value.value());
  }

  // From one step of training to another; nothing if one of them is none. Others, as those of an
  // evaluation, are not counted.
  std::optional<Step> TrainingSteps(Step from, Step to) const {
    const auto begin = trial_.ModeOf(from);
    const auto end = trial_.ModeOf(to);
    if (!begin || !end || begin->mode != end->mode || end->mode == Mode::kEval) return std::nullopt;
    return end->step - begin->step;
  }

  const trial::Trial& trial_;
  const std::string_view tensor_;
  std::vector<Step> steps_;
};

}  // namespace

void ScriptCount::Complete(const trial::Trial& trial, Finding* finding) {
  if (finding->step != step_) {
    step_ = finding->step;
    optimizer_step_ = SavedCount(trial, "training/optimizer_step").AtTrainingStep(step_);
    epoch_ = SavedCount(trial, "training/epoch").LastUntil(step_);
  }
  finding->optimizer_step = optimizer_step_;
  finding->epoch = epoch_;
}

}  // namespace warden::rules
