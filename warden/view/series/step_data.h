#ifndef WARDEN_VIEW_SERIES_STEP_DATA_H_
#define WARDEN_VIEW_SERIES_STEP_DATA_H_

// What StepFileReader reads from the files of one worker and step, and Table takes in. Plain values
// that are handed from the reading thread to the one that owns the table; they refer to nothing.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "warden/base/dtype.h"
#include "warden/base/types.h"
#include "warden/trial/problem.h"
#include "warden/view/series/statistic.h"

namespace warden::view {

// Number of a tensor within one run, as TensorNames counts them: dense, from 0, never reused. Not
// the same in another run.
using TensorId = uint32_t;
// Number of a worker within one run, as Table counts them.
using WorkerId = uint32_t;

// What is known of a tensor beside its numbers. Sent when it is new or has changed. A tensor that
// changes its shape, as the last batch of an epoch does, is described again.
struct Description {
  TensorId tensor = 0;
  std::optional<std::string> name;  // The first time only. Numbers of new tensors go up by one.
  std::optional<DType> dtype;       // None: not known, or as before.
  std::optional<std::vector<int64_t>> shape;  // The same.
};

// One number of one tensor. May be NaN or infinite, as it was saved: the page shows where a
// training broke.
struct Cell {
  TensorId tensor = 0;
  Statistic statistic = 0;
  double value = 0;
};

// The numbers of what one worker saved in one step. What could not be read is missing from it, with
// a problem; the step itself is still there, so that charts show a gap rather than nothing.
struct StepData {
  Step step = 0;  // Global.
  Mode mode = Mode::kGlobal;
  Step mode_step = 0;  // Counted in the mode.
  // When it was saved, in seconds since 1970; NaN: unknown.
  double time = std::numeric_limits<double>::quiet_NaN();
  std::vector<Description> described;
  std::vector<TensorId> saved;           // All tensors of the step, ascending, each once.
  std::vector<Cell> cells;               // By tensor and statistic, each once.
  std::vector<trial::Problem> problems;  // Records that could not be used, at most a few.
  // Something of it is not there, and may still come.
  bool incomplete = false;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_STEP_DATA_H_
