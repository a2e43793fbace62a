#include "warden/view/series/rank_list.h"

#include <algorithm>
#include <cmath>
#include <map>
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

std::optional<double> Median(const std::vector<Point>& points) {
  std::vector<double> values;
  for (const Point& point : points) {
    if (std::isfinite(point.low)) values.push_back(point.low);
  }
  return MedianOf(std::move(values));
}

using Times = std::map<size_t, double>;  // By slot.

Times EndsOf(const Table& table, const std::string& worker, const SlotAxis& axis) {
  Times ends;
  for (const Point& point : PointsOfRank(table, "exchange_end", worker, axis)) {
    if (std::isfinite(point.low)) ends.emplace(point.slot, point.low);
  }
  return ends;
}

std::optional<ClockOffset> OffsetOf(const Times& ends, const Times& first) {
  std::vector<double> differences;
  for (const auto& [slot, end] : ends) {
    if (const auto other = first.find(slot); other != first.end()) {
      differences.push_back(end - other->second);
    }
  }
  const auto offset = MedianOf(differences);
  if (!offset) return std::nullopt;
  const int64_t count = std::ssize(differences);
  for (double& difference : differences) difference = std::abs(difference - *offset);
  return ClockOffset{*offset, *MedianOf(std::move(differences)), count};
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

std::vector<Rank> ListRanks(const Table& table) {
  const SlotAxis axis(table, {});
  std::vector<Rank> ranks;
  Times first;
  for (const std::string& worker : RanksOf(table)) {
    const auto points = [&](std::string_view of) { return PointsOfRank(table, of, worker, axis); };
    const auto steps = points("step_seconds");
    Rank rank;
    rank.worker = worker;
    rank.steps = std::ssize(steps);
    rank.step = Median(steps);
    rank.own = Median(points("own_seconds"));
    rank.exchange = Median(points("exchange_seconds"));
    rank.loader = Median(points("loader_seconds"));
    const Times ends = EndsOf(table, worker, axis);
    if (ranks.empty()) first = ends;
    rank.clock = OffsetOf(ends, first);
    ranks.push_back(std::move(rank));
  }
  MarkSlow(&ranks);
  return ranks;
}

}  // namespace warden::view
