#include "warden/view/series/rank_list.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warden::view {
namespace {

constexpr double kSlowFactor = 1.25;
constexpr double kSlowSeconds = 0.005;

std::optional<double> MedianOf(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

using ByStep = RankTimes::ByStep;

std::optional<double> Median(const ByStep& times) {
  std::vector<double> values;
  for (const auto& [step, seconds] : times) values.push_back(seconds);
  return MedianOf(std::move(values));
}

// Without the wait for other workers, where both are known.
ByStep OwnOf(const RankTimes& times) {
  ByStep own;
  for (const auto& [step, seconds] : times.step) {
    if (const auto wait = times.exchange.find(step); wait != times.exchange.end()) {
      own.emplace(step, std::max(seconds - wait->second, 0.0));
    }
  }
  return own;
}

void MarkSlow(std::vector<Rank>* ranks) {
  std::vector<Rank*> known;
  for (Rank& rank : *ranks) {
    if (rank.own) known.push_back(&rank);
  }
  if (known.size() < 2) return;
  std::ranges::sort(known, {}, [](const Rank* rank) { return *rank->own; });
  Rank* slowest = known.back();
  known.pop_back();
  const double usual = *known[known.size() / 2]->own;
  slowest->slow = *slowest->own > kSlowFactor * usual && *slowest->own - usual > kSlowSeconds;
}

}  // namespace

std::optional<ClockOffset> OffsetOf(const ByStep& ends, const ByStep& first) {
  std::vector<double> differences;
  for (const auto& [step, end] : ends) {
    if (const auto other = first.find(step); other != first.end()) {
      differences.push_back(end - other->second);
    }
  }
  const auto offset = MedianOf(differences);
  if (!offset) return std::nullopt;
  const int64_t count = std::ssize(differences);
  for (double& difference : differences) difference = std::abs(difference - *offset);
  return ClockOffset{*offset, *MedianOf(std::move(differences)), count};
}

std::vector<Rank> RanksFrom(const std::vector<RankTimes>& times) {
  std::vector<Rank> ranks;
  for (const RankTimes& one : times) {
    Rank& rank = ranks.emplace_back();
    rank.worker = one.worker;
    rank.host = one.host;
    rank.steps = std::ssize(one.step);
    rank.step = Median(one.step);
    rank.own = Median(OwnOf(one));
    rank.exchange = Median(one.exchange);
    rank.loader = Median(one.loader);
    rank.clock = OffsetOf(one.exchange_end, times.front().exchange_end);
  }
  MarkSlow(&ranks);
  return ranks;
}

std::vector<Rank> ListRanks(const Table& table) {
  const SlotAxis axis(table, {});
  std::vector<RankTimes> all;
  for (const std::string& worker : RanksOf(table)) {
    const auto times = [&](std::string_view of) {
      ByStep by_slot;
      for (const Point& point : PointsOfRank(table, of, worker, axis)) {
        if (std::isfinite(point.low)) by_slot.emplace(static_cast<int64_t>(point.slot), point.low);
      }
      return by_slot;
    };
    all.push_back({.worker = worker,
                   .step = times("step_seconds"),
                   .exchange = times("exchange_seconds"),
                   .loader = times("loader_seconds"),
                   .exchange_end = times("exchange_end")});
  }
  return RanksFrom(all);
}

}  // namespace warden::view
