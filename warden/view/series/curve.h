#ifndef WARDEN_VIEW_SERIES_CURVE_H_
#define WARDEN_VIEW_SERIES_CURVE_H_

// Curves of statistics for charts: the points of a tensor in a range of steps, joined to as many as
// a chart has pixels. All functions read a Table, within RunSeries::With.
//
//   const SlotAxis axis(table, {.mode = Mode::kTrain});
//   const Curve curve = MakeCurve(table, PointsOf(table, *tensor, {kValue}, axis), 1000);

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/view/series/series_table.h"

namespace warden::view {

// What x is: the mode's own steps, the steps of the run over all modes, or seconds since 1970.
enum class XKind : uint8_t { kModeStep, kGlobalStep, kTime };

// Steps of a mode with x in [from, to]; for kGlobal, all steps of the run, by their global numbers.
// By default all of them. As doubles, since a page asks for the edges of its chart, which lie
// between steps.
struct StepRange {
  Mode mode = Mode::kGlobal;
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
  XKind x = XKind::kModeStep;
};

// Which slots of a table lie in a range, and where on its axis. Does not refer to the table after
// construction, but is valid only as long as the table does not change. Made once for a request and
// used for all of its tensors: making it looks at all slots.
class SlotAxis {
 public:
  SlotAxis(const Table& table, const StepRange& range);

  Mode mode() const { return mode_; }
  // All slots of the range lie in [first, last); both 0 if there are none.
  size_t first() const { return first_; }
  size_t last() const { return last_; }
  // Where the first step that the slot stands for is; NaN where it is not in the range. REQUIRES:
  // slot is in [first(), last()).
  double X(size_t slot) const { return x_[slot - first_]; }
  // Whether later slots have larger steps. A mode's own steps are whatever its files say.
  bool ascends() const { return ascends_; }

 private:
  Mode mode_;
  size_t first_ = 0;
  size_t last_ = 0;
  std::vector<double> x_;
  bool ascends_ = true;
};

// A statistic at a slot: its minimum and maximum there.
struct Point {
  size_t slot = 0;
  double x = 0;  // SlotAxis::X(slot).
  double low = 0;
  double high = 0;
};

// What is asked of a tensor. An empty worker: the first, by name, that has the statistic. An
// unknown worker has no points.
struct Wanted {
  Statistic statistic = kValue;
  std::string_view worker = {};
};

// The points of a tensor, by x. Empty if nothing of the kind was saved. A statistic that was not
// saved is derived where it can be, from the variance say; a saved one wins. Steps of several modes
// in one slot are one point.
std::vector<Point> PointsOf(const Table& table, const TensorEntry& tensor, const Wanted& wanted,
                            const SlotAxis& axis);
// The worker whose points PointsOf returns; nothing if none has the statistic.
std::optional<WorkerId> WorkerFor(const Table& table, const TensorEntry& tensor,
                                  const Wanted& wanted);

// The statistics that a tensor has, or that follow from those: the value first, then by number.
std::vector<Statistic> StatisticsOf(const TensorEntry& tensor);
// The one to show if none is asked for: the value, else the mean, else the first of them.
Statistic UsualStatistic(const TensorEntry& tensor);

// Points for a chart: minimum and maximum of each stretch of steps. Columns of one length. A point
// stands for a stretch of steps, and x is where it begins.
struct Curve {
  std::vector<double> x, low, high;
  size_t steps_per_point = 1;  // Of the run, at most.
  size_t nans = 0;             // Points that were NaN; stretches that have anything else hide it.
  std::optional<double> first_nan;  // The x of the first of these.
};
// Joins points to at most `most`, which counts as 2 if it is less. Stretches begin at the same
// steps whatever the range is, so that a curve does not flicker while it is moved. points: of
// PointsOf, from the same table.
Curve MakeCurve(const Table& table, const std::vector<Point>& points, size_t most);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_CURVE_H_
