#ifndef WARDEN_VIEW_SERIES_AXIS_H_
#define WARDEN_VIEW_SERIES_AXIS_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "warden/base/types.h"

namespace warden::view {

struct AxisStep {
  Step step = 0;  // Global.
  Step mode_step = 0;
  double time = std::numeric_limits<double>::quiet_NaN();  // When it was saved; NaN: not known.
  uint32_t unread = 0;                                     // Files of it that are still to be read.
  std::optional<Mode> mode;                                // None: nothing of it was read yet.
};

// The steps of a run in their order. They are known from the names of files, before anything is
// read; each has a position, which only changes when a step comes late that belongs before others.
class Axis {
 public:
  // Adds those that are not there. Ascending, each once. Returns, for every old position, the new
  // one; empty if none has changed.
  std::vector<size_t> Add(std::span<const Step> steps);

  size_t size() const { return steps_.size(); }
  AxisStep& operator[](size_t position) { return steps_[position]; }
  const AxisStep& operator[](size_t position) const { return steps_[position]; }
  const std::vector<AxisStep>& steps() const { return steps_; }
  // The position of a step.
  std::optional<size_t> Find(Step step) const;

 private:
  std::vector<AxisStep> steps_;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_AXIS_H_
