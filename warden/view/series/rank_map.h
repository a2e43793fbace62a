#ifndef WARDEN_VIEW_SERIES_RANK_MAP_H_
#define WARDEN_VIEW_SERIES_RANK_MAP_H_

// Workers of a distributed training beside each other, step by step: the dashboard's heat map of
// ranks and steps. All functions read a Table, within RunSeries::With.
//
//   for (const std::string& of : RankMeasures(table)) Offer(of);
//   const Heatmap map = MakeRankMap(table, {.of = "step_seconds"});

#include <string>
#include <string_view>
#include <vector>

#include "warden/view/series/heatmap.h"

namespace warden::view {

// By rank: worker_2 comes before worker_10.
std::vector<std::string> SortedByRank(std::vector<std::string> workers);
// The workers that saved anything, by rank.
std::vector<std::string> RanksOf(const Table& table);

// What can be compared, as far as at least two workers saved it: "step_seconds", "own_seconds"
// (step_seconds without exchange_seconds), "exchange_seconds", "loader_seconds", "gradient_norm"
// (of all gradients, or before clipping), and "tensor/NAME" for each loss.
std::vector<std::string> RankMeasures(const Table& table);

// A measure of one worker, by x; also any other number of the training loop, such as
// "exchange_end". Empty if it was not saved.
std::vector<Point> PointsOfRank(const Table& table, std::string_view of, std::string_view worker,
                                const SlotAxis& axis);

// What to show.
struct RankMapWanted {
  std::string of;  // One of RankMeasures.
  StepRange range = {};
  size_t columns = 500;  // At most.
};
// A row for each worker that has the measure.
Heatmap MakeRankMap(const Table& table, const RankMapWanted& wanted);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_RANK_MAP_H_
