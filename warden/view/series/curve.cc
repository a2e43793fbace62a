#include "warden/view/series/curve.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>

namespace warden::view {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double PlaceOf(const AxisStep& step, Mode mode, XKind x) {
  if (x == XKind::kTime) return step.time;
  const bool global = mode == Mode::kGlobal || x == XKind::kGlobalStep;
  return static_cast<double>(global ? step.step : step.mode_step);
}

// Where a slot begins on the axis; NaN if no step of it is of the mode.
double Begin(const Table& table, size_t slot, Mode mode, XKind x) {
  const size_t per = table.steps_per_slot();
  const size_t end = std::min((slot + 1) * per, table.axis().size());
  for (size_t i = slot * per; i < end; ++i) {
    const AxisStep& step = table.axis()[i];
    if (mode == Mode::kGlobal || step.mode == mode) return PlaceOf(step, mode, x);
  }
  return kNaN;
}

bool IsOf(const Saved& saved, Mode mode) { return mode == Mode::kGlobal || saved.mode == mode; }

bool CanShow(const Saved& saved, Statistic statistic) {
  return std::ranges::any_of(SourcesOf(statistic), [&](const Source& source) {
    return saved.Find(source.from) != nullptr;
  });
}

auto SlotOf(const Point& point) { return point.slot; }

// The points of one source that none before has told.
void AddSource(const Column& column, Via via, const SlotAxis& axis, std::vector<Point>* points) {
  const size_t told = points->size();
  column.ForEach(axis.first(), axis.last(), [&](size_t slot, double low, double high) {
    const double x = axis.X(slot);
    if (std::isnan(x)) return;
    const auto known = points->begin() + static_cast<ptrdiff_t>(told);
    if (told > 0 && std::ranges::binary_search(points->begin(), known, slot, {}, SlotOf)) return;
    const auto [least, most] = Derive(via, low, high);
    points->push_back({slot, x, least, most});
  });
  if (told > 0 && points->size() > told) std::ranges::sort(*points, {}, SlotOf);
}

// What several modes have in a joined slot becomes one point.
void MergeSlots(std::vector<Point>* points) {
  std::ranges::sort(*points, {}, SlotOf);
  size_t kept = 0;
  for (const Point& point : *points) {
    if (kept > 0 && (*points)[kept - 1].slot == point.slot) {
      Point& into = (*points)[kept - 1];
      into.low = Least(into.low, point.low);
      into.high = Most(into.high, point.high);
    } else {
      (*points)[kept++] = point;
    }
  }
  points->resize(kept);
}

}  // namespace

SlotAxis::SlotAxis(const Table& table, const StepRange& range) : mode_(range.mode) {
  const size_t slots = table.slots();
  x_.reserve(slots);
  double before = -std::numeric_limits<double>::infinity();
  for (size_t slot = 0; slot < slots; ++slot) {
    double x = Begin(table, slot, mode_, range.x);
    if (!(x >= range.from && x <= range.to)) x = kNaN;
    x_.push_back(x);
    if (std::isnan(x)) continue;
    if (last_ == 0) first_ = slot;
    last_ = slot + 1;
    ascends_ &= x > before;
    before = x;
  }
  x_.resize(last_);
  x_.erase(x_.begin(), x_.begin() + static_cast<ptrdiff_t>(first_));
}

std::optional<WorkerId> WorkerFor(const Table& table, const TensorEntry& tensor,
                                  const Wanted& wanted) {
  std::optional<WorkerId> best;
  for (const Saved& saved : tensor.saved) {
    const std::string& name = table.workers()[saved.worker];
    if (!wanted.worker.empty() && name != wanted.worker) continue;
    if (!CanShow(saved, wanted.statistic)) continue;
    if (!best || name < table.workers()[*best]) best = saved.worker;
  }
  return best;
}

std::vector<Point> PointsOf(const Table& table, const TensorEntry& tensor, const Wanted& wanted,
                            const SlotAxis& axis) {
  std::vector<Point> points;
  const auto worker = WorkerFor(table, tensor, wanted);
  if (!worker) return points;
  bool several = false;
  for (const Saved& saved : tensor.saved) {
    if (saved.worker != *worker || !IsOf(saved, axis.mode())) continue;
    std::vector<Point> of_mode;
    for (const auto& [from, via] : SourcesOf(wanted.statistic)) {
      if (const Column* column = saved.Find(from)) AddSource(*column, via, axis, &of_mode);
    }
    several |= !points.empty() && !of_mode.empty();
    if (points.empty()) {
      points = std::move(of_mode);
    } else {
      points.insert(points.end(), of_mode.begin(), of_mode.end());
    }
  }
  if (several) MergeSlots(&points);
  if (!axis.ascends())
    std::ranges::sort(points, {}, [](const Point& p) { return std::pair(p.x, p.slot); });
  return points;
}

std::vector<Statistic> StatisticsOf(const TensorEntry& tensor) {
  std::bitset<kStatistics> kept;
  for (const Saved& saved : tensor.saved) {
    for (const auto& [statistic, column] : saved.columns) kept.set(statistic);
  }
  std::vector<Statistic> statistics;
  const auto add = [&](Statistic statistic) {
    const auto sources = SourcesOf(statistic);
    if (std::ranges::any_of(sources, [&](const Source& source) { return kept[source.from]; })) {
      statistics.push_back(statistic);
    }
  };
  add(kValue);
  for (Statistic i = 0; i < kStatistics; ++i) {
    if (i != kValue) add(i);
  }
  return statistics;
}

Statistic UsualStatistic(const TensorEntry& tensor) {
  const std::vector<Statistic> statistics = StatisticsOf(tensor);
  constexpr auto kMean = static_cast<Statistic>(Reduction{ReductionOp::kMean}.index());
  for (const Statistic usual : {kValue, kMean}) {
    if (std::ranges::find(statistics, usual) != statistics.end()) return usual;
  }
  return statistics.empty() ? kValue : statistics.front();
}

Curve MakeCurve(const Table& table, const std::vector<Point>& points, size_t most) {
  most = std::max<size_t>(most, 2);
  const bool by_slot = std::ranges::is_sorted(points, {}, SlotOf);
  const auto place = [&](size_t i) { return by_slot ? points[i].slot : i; };
  size_t per = 1;
  if (points.size() > most) {
    // Both ends may cut a stretch, hence one more than the division tells.
    const size_t places = place(points.size() - 1) - place(0);
    while (places / per + 2 > most) per *= 2;
  }
  Curve curve;
  curve.steps_per_point = per * table.steps_per_slot();
  for (size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    if (std::isnan(point.low) && curve.nans++ == 0) curve.first_nan = point.x;
    if (i == 0 || place(i) / per != place(i - 1) / per) {
      curve.x.push_back(point.x);
      curve.low.push_back(point.low);
      curve.high.push_back(point.high);
    } else {
      curve.low.back() = Least(curve.low.back(), point.low);
      curve.high.back() = Most(curve.high.back(), point.high);
    }
  }
  return curve;
}

}  // namespace warden::view
