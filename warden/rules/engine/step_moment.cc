#include "warden/rules/engine/step_moment.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "warden/rules/running_window.h"
#include "warden/trial/step_reader.h"

namespace warden::rules {
namespace {

// At the first step of an epoch every loader is waited for; most of the steps must be slow.
constexpr size_t kMostLoaderWaits = 8;
constexpr int64_t kLeastLoaderWaits = 3;
constexpr double kLeastLoaderWaitSeconds = 0.02;
constexpr double kLongestWaitSeconds = 1e9;  // Beyond, a file says nonsense.

// Of the last steps until this one; nothing if they are too few, or the waits too short.
std::optional<double> LoaderShare(const trial::Trial& trial, Step until) {
  constexpr std::string_view kWait = "training/loader_seconds";
  constexpr std::string_view kStep = "training/step_seconds";
  const auto steps = trial.TensorSteps(kWait);
  if (!steps.ok()) return std::nullopt;
  const auto end = std::upper_bound(steps.value().begin(), steps.value().end(), until);
  const auto begin =
      end - std::min(static_cast<std::ptrdiff_t>(kMostLoaderWaits), end - steps.value().begin());
  RunningWindow waits;
  RunningWindow shares;
  for (auto step = begin; step != end; ++step) {
    const auto wait = trial.ReductionValue(kWait, *step, {ReductionOp::kMax, false});
    const auto whole = trial.ReductionValue(kStep, *step, {ReductionOp::kMax, false});
    if (!wait.ok() || !whole.ok()) continue;
    if (!(wait.value() >= 0 && wait.value() < kLongestWaitSeconds && whole.value() > 0)) continue;
    waits.Add(wait.value(), kMostLoaderWaits);
    shares.Add(std::min(1.0, wait.value() / whole.value()), kMostLoaderWaits);
  }
  const bool matters =
      waits.size() >= kLeastLoaderWaits && waits.Median() >= kLeastLoaderWaitSeconds;
  return matters ? std::optional(shares.Median()) : std::nullopt;
}

}  // namespace

void StepMoment::Complete(const trial::Trial& trial, Finding* finding) {
  if (finding->time_s != 0) return;
  if (finding->step != step_) {
    step_ = finding->step;
    wall_time_ = trial.ReaderOf(step_).WallTime().value_or(0);
    loader_share_ = LoaderShare(trial, step_);
  }
  finding->wall_time = wall_time_;
  finding->loader_share = loader_share_;
}

}  // namespace warden::rules
