#ifndef WARDEN_VIEW_SERIES_CURVE_H_
#define WARDEN_VIEW_SERIES_CURVE_H_

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warden/view/series/table.h"

namespace warden::view {

// Steps [from, to] of a mode; of kGlobal, of the run.
struct StepRange {
  Mode mode = Mode::kGlobal;
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
};

// Which slots lie in a range, and where on its axis.
class SlotAxis {
 public:
  SlotAxis(const Table& table, const StepRange& range);

  Mode mode() const { return mode_; }
  // All slots of the range lie in [first, last).
  size_t first() const { return first_; }
  size_t last() const { return last_; }
  // The first step that the slot stands for; NaN where it is not of the range.
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

struct Point {
  size_t slot = 0;
  double x = 0;
  double low = 0;
  double high = 0;
};

// What is asked of a tensor. An empty worker: the first, by name, that has it.
struct Wanted {
  Statistic statistic = kValue;
  std::string_view worker = {};
};

// By x. Empty if nothing of the kind was saved.
std::vector<Point> PointsOf(const Table& table, const TensorEntry& tensor, const Wanted& wanted,
                            const SlotAxis& axis);
// The worker of whom these are.
std::optional<WorkerId> WorkerFor(const Table& table, const TensorEntry& tensor,
                                  const Wanted& wanted);

// The statistics that there are of a tensor, those first that tell most.
std::vector<Statistic> StatisticsOf(const TensorEntry& tensor);
// The one to show if none is asked for: the value, else the mean, else the first of them.
Statistic UsualStatistic(const TensorEntry& tensor);

// Points for a chart: the least and the most of each stretch.
struct Curve {
  std::vector<double> x, low, high;
  size_t steps_per_point = 1;
  size_t nans = 0;  // Points that were NaN; stretches with anything else in them do not show it.
};
// At most so many. Stretches begin where they do whatever the range is, so that a curve does not
// flicker while it is moved.
Curve MakeCurve(const Table& table, const std::vector<Point>& points, size_t most);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_CURVE_H_
