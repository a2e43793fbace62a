#include "warden/view/series/rank_reader.h"

#include <cmath>
#include <string>
#include <utility>

#include "warden/base/reduction.h"
#include "warden/view/series/worker_place.h"

namespace warden::view {
namespace {

constexpr size_t kMostRankSteps = 2000;

// The numbers to read, and where they go.
struct Measure {
  std::string_view tensor;
  RankTimes::ByStep RankTimes::* times;
};
constexpr Measure kMeasures[] = {{"training/step_seconds", &RankTimes::step},
                                 {"training/exchange_seconds", &RankTimes::exchange},
                                 {"training/loader_seconds", &RankTimes::loader},
                                 {"training/exchange_end", &RankTimes::exchange_end}};

std::vector<Step> StepsToRead(const trial::Trial& trial) {
  const auto saved = trial.TensorSteps(kMeasures[0].tensor);
  if (!saved.ok() || saved.value().size() <= kMostRankSteps) {
    return saved.ok() ? saved.value() : std::vector<Step>();
  }
  std::vector<Step> steps;
  for (size_t i = 0; i < kMostRankSteps; ++i) {
    steps.push_back(saved.value()[i * saved.value().size() / kMostRankSteps]);
  }
  return steps;
}

void ReadStep(const trial::Trial& trial, Step step, RankTimes* times) {
  for (const Measure& measure : kMeasures) {
    const auto value = trial.ReductionValue(measure.tensor, step, Reduction{ReductionOp::kMean},
                                            Mode::kGlobal, times->worker);
    if (value.ok() && std::isfinite(value.value())) {
      (times->*measure.times).emplace(step, value.value());
    }
  }
}

}  // namespace

std::vector<Rank> ReadRanks(const trial::Trial& trial) {
  if (trial.workers().size() < 2) return {};  // Most runs.
  const std::vector<Step> steps = StepsToRead(trial);
  std::vector<RankTimes> all;
  for (const std::string& worker : SortedByRank(trial.workers())) {
    RankTimes times{.worker = worker};
    for (const Step step : steps) ReadStep(trial, step, &times);
    if (times.step.empty()) continue;
    times.host = PlaceOf(trial, worker).host;
    all.push_back(std::move(times));
  }
  return all.size() < 2 ? std::vector<Rank>() : RanksFrom(all);
}

}  // namespace warden::view
