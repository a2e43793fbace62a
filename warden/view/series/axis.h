#ifndef WARDEN_VIEW_SERIES_AXIS_H_
#define WARDEN_VIEW_SERIES_AXIS_H_

// The steps of a run as positions 0, 1, 2, ..., known before their files are read. Part of Table.
// Positions rather than steps are what columns are indexed by, since a run that saves every 500
// steps has no numbers in between.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "warden/base/types.h"

namespace warden::view {

// One step. What was read of a step, by all workers together.
struct AxisStep {
  Step step = 0;       // Global.
  Step mode_step = 0;  // Counted in its mode; only valid if `mode` is set.
  double time = std::numeric_limits<double>::quiet_NaN();  // When it was saved; NaN: not known.
  uint32_t unread = 0;                                     // Files of it that are still to be read.
  std::optional<Mode> mode;                                // None: nothing of it was read yet.
};

// The steps of a run in their order. They are known from the names of files, before anything is
// read; each has a position, which only changes when a step comes late that belongs before others.
// For one thread.
class Axis {
 public:
  // Adds those that are not there. steps: ascending, each once. Returns, for every old position,
  // the new one; empty if none has changed, as when all steps are added at the end. Takes time in
  // proportion to what is added, if that comes at the end; otherwise to all steps.
  std::vector<size_t> Add(std::span<const Step> steps);

  size_t size() const { return steps_.size(); }
  AxisStep& operator[](size_t position) { return steps_[position]; }
  const AxisStep& operator[](size_t position) const { return steps_[position]; }
  const std::vector<AxisStep>& steps() const { return steps_; }
  // The position of a global step, by binary search; nothing if it is not known.
  std::optional<size_t> Find(Step step) const;

 private:
  std::vector<AxisStep> steps_;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_AXIS_H_
