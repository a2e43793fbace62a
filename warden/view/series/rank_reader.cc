#include "warden/view/series/rank_reader.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "warden/base/reduction.h"
#include "warden/view/series/worker_place.h"

namespace warden::view {
namespace {

constexpr size_t kMostRankSteps = 2000;
// Of a map: what a page can show, and what is worth reading for it.
constexpr size_t kMostMapColumns = 80;
constexpr size_t kMostMapRows = 128;
constexpr size_t kMostLossMaps = 2;
constexpr size_t kMostNormsRead = 20'000;

// The numbers to read, and where they go.
struct Measure {
  std::string_view tensor;
  RankTimes::ByStep RankTimes::* times;
};
constexpr Measure kMeasures[] = {{"training/step_seconds", &RankTimes::step},
                                 {"training/exchange_seconds", &RankTimes::exchange},
                                 {"training/loader_seconds", &RankTimes::loader},
                                 {"training/exchange_end", &RankTimes::exchange_end}};
constexpr std::string_view kNormBeforeClipping = "training/gradient_norm_before_clipping";

// Spread evenly over those at which the tensor was saved.
std::vector<Step> StepsToRead(const trial::Trial& trial, std::string_view tensor, size_t most) {
  const auto saved = trial.TensorSteps(tensor);
  if (!saved.ok() || saved.value().size() <= most) {
    return saved.ok() ? saved.value() : std::vector<Step>();
  }
  std::vector<Step> steps;
  for (size_t i = 0; i < most; ++i) steps.push_back(saved.value()[i * saved.value().size() / most]);
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

// The largest value of the steps that each column stands for.
RankMap MapOfTimes(std::string title, const std::vector<RankTimes>& all,
                   const std::vector<Step>& steps, RankTimes::ByStep RankTimes::* times) {
  RankMap map{.title = std::move(title), .unit = "s", .steps = {}, .rows = {}};
  const size_t columns = std::min(steps.size(), kMostMapColumns);
  for (size_t i = 0; i < columns; ++i) map.steps.push_back(steps[i * steps.size() / columns]);
  for (const RankTimes& one : all) {
    if (map.rows.size() == kMostMapRows) break;
    RankMap::Row& row = map.rows.emplace_back(one.worker);
    row.values.resize(columns);
    for (const auto& [step, seconds] : one.*times) {
      const auto column = std::ranges::upper_bound(map.steps, step) - map.steps.begin();
      if (column == 0) continue;
      auto& value = row.values[static_cast<size_t>(column - 1)];
      value = std::max(value.value_or(seconds), seconds);
    }
  }
  return map;
}

// A number of the worker at a step; nothing if it was not saved.
using ReadNumber = std::optional<double> (*)(const trial::Trial& trial,
                                             const std::vector<std::string>& tensors, Step step,
                                             const std::string& worker);

std::optional<double> ReadMean(const trial::Trial& trial, const std::vector<std::string>& tensors,
                               Step step, const std::string& worker) {
  const auto value = trial.ReductionValue(tensors.front(), step, Reduction{ReductionOp::kMean},
                                          Mode::kGlobal, worker);
  return value.ok() ? std::optional(value.value()) : std::nullopt;
}

// Of all gradients together.
std::optional<double> ReadNorm(const trial::Trial& trial, const std::vector<std::string>& tensors,
                               Step step, const std::string& worker) {
  double sum = 0;
  for (const std::string& tensor : tensors) {
    const auto norm =
        trial.ReductionValue(tensor, step, Reduction{ReductionOp::kL2}, Mode::kGlobal, worker);
    if (!norm.ok()) return std::nullopt;
    sum += norm.value() * norm.value();
  }
  return std::sqrt(sum);
}

RankMap MapOfNumbers(const trial::Trial& trial, std::string title,
                     const std::vector<std::string>& tensors,
                     const std::vector<std::string>& workers, ReadNumber read) {
  const size_t numbers = std::max<size_t>(1, workers.size() * tensors.size());
  const size_t columns = std::clamp<size_t>(kMostNormsRead / numbers, 1, kMostMapColumns);
  RankMap map{.title = std::move(title),
              .unit = "",
              .steps = StepsToRead(trial, tensors.front(), columns),
              .rows = {}};
  for (const std::string& worker : workers) {
    RankMap::Row& row = map.rows.emplace_back(worker);
    for (const Step step : map.steps) row.values.push_back(read(trial, tensors, step, worker));
  }
  return map;
}

std::vector<std::string> TensorsIn(const trial::Trial& trial, const std::string& collection) {
  const auto found = trial.collections().find(collection);
  const auto names = trial.TensorNames();
  if (found == trial.collections().end() || !names.ok()) return {};
  const auto matcher = config::CollectionMatcher::Make(found->second);
  if (!matcher.ok()) return {};
  std::vector<std::string> tensors;
  for (const std::string& name : names.value()) {
    if (matcher.value().Matches(name)) tensors.push_back(name);
  }
  return tensors;
}

bool IsOfTwoRanks(const RankMap& map) {
  return std::ranges::count_if(map.rows, [](const RankMap::Row& row) {
           return std::ranges::any_of(row.values,
                                      [](const auto& value) { return value.has_value(); });
         }) >= 2;
}

std::vector<RankMap> ReadMaps(const trial::Trial& trial, const std::vector<RankTimes>& all,
                              const std::vector<Step>& steps) {
  std::vector<std::string> workers;
  for (const RankTimes& one : all) {
    if (workers.size() < kMostMapRows) workers.push_back(one.worker);
  }
  std::vector<RankMap> maps = {
      MapOfTimes("Step time", all, steps, &RankTimes::step),
      MapOfTimes("Waiting for other ranks", all, steps, &RankTimes::exchange)};
  std::vector<std::string> losses = TensorsIn(trial, "losses");
  losses.resize(std::min(losses.size(), kMostLossMaps));
  for (const std::string& loss : losses) {
    maps.push_back(MapOfNumbers(trial, "Loss: " + loss, {loss}, workers, ReadMean));
  }
  const std::vector<std::string> gradients = TensorsIn(trial, "gradients");
  if (!gradients.empty()) {
    maps.push_back(MapOfNumbers(trial, "Gradient norm", gradients, workers, ReadNorm));
  }
  if (gradients.empty() || !IsOfTwoRanks(maps.back())) {
    maps.push_back(MapOfNumbers(trial, "Gradient norm before clipping",
                                {std::string(kNormBeforeClipping)}, workers, ReadMean));
  }
  std::erase_if(maps, [](const RankMap& map) { return !IsOfTwoRanks(map); });
  return maps;
}

}  // namespace

std::vector<Rank> ReadRanks(const trial::Trial& trial, std::vector<RankMap>* maps) {
  if (trial.workers().size() < 2) return {};  // Most runs.
  const std::vector<Step> steps = StepsToRead(trial, kMeasures[0].tensor, kMostRankSteps);
  std::vector<RankTimes> all;
  for (const std::string& worker : SortedByRank(trial.workers())) {
    RankTimes times{.worker = worker};
    for (const Step step : steps) ReadStep(trial, step, &times);
    if (times.step.empty()) continue;
    times.host = PlaceOf(trial, worker).host;
    all.push_back(std::move(times));
  }
  if (all.size() < 2) return {};
  if (maps != nullptr) *maps = ReadMaps(trial, all, steps);
  return RanksFrom(all);
}

}  // namespace warden::view
