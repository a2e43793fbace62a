#ifndef WARDEN_VIEW_SERIES_RANK_LIST_H_
#define WARDEN_VIEW_SERIES_RANK_LIST_H_

// What each worker of a distributed training spent its steps on: for the dashboard, from the table
// of a run, and for the profiling report, from its files (rank_reader.h).

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warden/view/series/rank_map.h"

namespace warden::view {

// How far a clock is ahead of the first worker's, in seconds. All workers leave an exchange of
// gradients at about the same moment; the offset is the median of the differences, the error how
// far one difference is from it, by the median.
struct ClockOffset {
  double seconds = 0;
  double error = 0;
  int64_t exchanges = 0;
};

// One worker. Times are medians over its steps, in seconds; nothing: not saved.
struct Rank {
  std::string worker;
  std::string host;   // Empty: not known.
  int64_t steps = 0;  // With a time.
  std::optional<double> step;
  std::optional<double> own;       // Without the wait for other workers.
  std::optional<double> exchange;  // Waiting for other workers.
  std::optional<double> loader;    // Waiting for its data loader.
  std::optional<ClockOffset> clock;
  // It takes much longer than the others, which wait for it: by the limits of the rule
  // StragglerRank, over all steps.
  bool slow = false;
};

// What one worker has measured, in seconds, by step or by slot of a table: the same for all
// workers. Only finite numbers.
struct RankTimes {
  using ByStep = std::map<int64_t, double>;

  std::string worker;
  std::string host = {};
  ByStep step = {};
  ByStep exchange = {};
  ByStep loader = {};
  ByStep exchange_end = {};  // By its clock, since 1970.
};

// By the ends of exchanges of two workers. Nothing without a step that both have.
std::optional<ClockOffset> OffsetOf(const RankTimes::ByStep& ends, const RankTimes::ByStep& first);

// From the times of all workers, in the order of their ranks, which is kept.
std::vector<Rank> RanksFrom(const std::vector<RankTimes>& times);

// All workers, by rank; their hosts are not known. Looks at all steps that are kept.
std::vector<Rank> ListRanks(const Table& table);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_RANK_LIST_H_
