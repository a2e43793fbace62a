#include "warden/view/series/rank_map.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "warden/view/series/heatmap_fill.h"

namespace warden::view {
namespace {

constexpr std::string_view kLog = "training/";
constexpr std::string_view kTensor = "tensor/";
constexpr std::string_view kStep = "step_seconds";
constexpr std::string_view kOwn = "own_seconds";
constexpr std::string_view kExchange = "exchange_seconds";
constexpr std::string_view kGradientNorm = "gradient_norm";
constexpr std::string_view kBeforeClipping = "training/gradient_norm_before_clipping";
constexpr Statistic kNorm = Reduction{ReductionOp::kL2}.index();

std::vector<Point> PointsOfTensor(const Table& table, std::string_view name,
                                  std::string_view worker, const SlotAxis& axis) {
  const TensorEntry* tensor = table.Find(name);
  if (tensor == nullptr) return {};
  return PointsOf(table, *tensor, {UsualStatistic(*tensor), worker}, axis);
}

std::vector<Point> OfLog(const Table& table, std::string_view name, std::string_view worker,
                         const SlotAxis& axis) {
  return PointsOfTensor(table, std::string(kLog) + std::string(name), worker, axis);
}

// Step times without the wait for other workers, where both are known.
std::vector<Point> OwnSeconds(const Table& table, std::string_view worker, const SlotAxis& axis) {
  std::map<size_t, Point> waits;
  for (const Point& wait : OfLog(table, kExchange, worker, axis)) waits.emplace(wait.slot, wait);
  std::vector<Point> own;
  for (const Point& step : OfLog(table, kStep, worker, axis)) {
    const auto wait = waits.find(step.slot);
    if (wait == waits.end()) continue;
    const double low = std::max(step.low - wait->second.low, 0.0);
    const double high = std::max(step.high - wait->second.high, 0.0);
    own.push_back({step.slot, step.x, std::min(low, high), std::max(low, high)});
  }
  return own;
}

// The norm of all gradients together, at slots that have all of them.
std::vector<Point> NormOfGradients(const Table& table, std::string_view worker,
                                   const SlotAxis& axis) {
  struct Sum {
    Point point;
    size_t tensors = 0;
  };
  std::map<size_t, Sum> sums;
  size_t most = 0;
  for (const TensorEntry& tensor : table.tensors()) {
    if (!table.IsIn(tensor, "gradients")) continue;
    for (const Point& norm : PointsOf(table, tensor, {kNorm, worker}, axis)) {
      Sum& sum = sums[norm.slot];
      sum.point = {norm.slot, norm.x, sum.point.low + norm.low * norm.low,
                   sum.point.high + norm.high * norm.high};
      most = std::max(most, ++sum.tensors);
    }
  }
  std::vector<Point> norms;
  for (const auto& [slot, sum] : sums) {
    if (sum.tensors < most) continue;
    norms.push_back({slot, sum.point.x, std::sqrt(sum.point.low), std::sqrt(sum.point.high)});
  }
  return norms;
}

bool IsOfTwo(const Table& table, const std::vector<std::string>& workers, std::string_view of,
             const SlotAxis& axis) {
  return std::ranges::count_if(workers, [&](const std::string& worker) {
           return !PointsOfRank(table, of, worker, axis).empty();
         }) >= 2;
}

}  // namespace

std::vector<std::string> SortedByRank(std::vector<std::string> workers) {
  std::ranges::sort(workers, [](const std::string& a, const std::string& b) {
    return std::tuple(a.size(), std::string_view(a)) < std::tuple(b.size(), std::string_view(b));
  });
  return workers;
}

std::vector<std::string> RanksOf(const Table& table) { return SortedByRank(table.workers()); }

std::vector<std::string> RankMeasures(const Table& table) {
  std::vector<std::string> all = {std::string(kStep), std::string(kOwn), std::string(kExchange),
                                  "loader_seconds"};
  for (const TensorEntry& tensor : table.tensors()) {
    if (table.IsIn(tensor, "losses")) all.push_back(std::string(kTensor) + tensor.name);
  }
  all.emplace_back(kGradientNorm);
  const SlotAxis axis(table, {});
  const std::vector<std::string> workers = RanksOf(table);
  std::erase_if(all, [&](const std::string& of) { return !IsOfTwo(table, workers, of, axis); });
  return all;
}

std::vector<Point> PointsOfRank(const Table& table, std::string_view of, std::string_view worker,
                                const SlotAxis& axis) {
  if (of.starts_with(kTensor)) {
    return PointsOfTensor(table, of.substr(kTensor.size()), worker, axis);
  }
  if (of == kOwn) return OwnSeconds(table, worker, axis);
  if (of != kGradientNorm) return OfLog(table, of, worker, axis);
  auto norms = NormOfGradients(table, worker, axis);
  return norms.empty() ? PointsOfTensor(table, kBeforeClipping, worker, axis) : norms;
}

Heatmap MakeRankMap(const Table& table, const RankMapWanted& wanted) {
  Heatmap map;
  const SlotAxis axis(table, wanted.range);
  std::vector<std::vector<Point>> rows;
  std::map<size_t, double> used;
  for (std::string& worker : RanksOf(table)) {
    auto points = PointsOfRank(table, wanted.of, worker, axis);
    if (points.empty()) continue;
    for (const Point& point : points) used.emplace(point.slot, point.x);
    map.rows.push_back(std::move(worker));
    rows.push_back(std::move(points));
  }
  if (rows.empty()) return map;
  HeatmapSlots slots;
  slots.reserve(used.size());
  for (const auto& [slot, x] : used) slots.emplace_back(x, slot);
  std::ranges::sort(slots);
  FillHeatmap(slots, axis, wanted.columns, [&](size_t row) { return std::move(rows[row]); }, &map);
  return map;
}

}  // namespace warden::view
