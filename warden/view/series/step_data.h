#ifndef WARDEN_VIEW_SERIES_STEP_DATA_H_
#define WARDEN_VIEW_SERIES_STEP_DATA_H_

// What StepFileReader reads from the files of one worker and step, and Table takes in.

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

// Numbers of tensors and workers within one run: tensors as TensorNames counts them, workers as
// Table.
using TensorId = uint32_t;
using WorkerId = uint32_t;

// What is known of a tensor beside its numbers. Sent when it is new or has changed.
struct Description {
  TensorId tensor = 0;
  std::optional<std::string> name;  // The first time only. Numbers of new tensors go up by one.
  std::optional<DType> dtype;       // None: not known, or as before.
  std::optional<std::vector<int64_t>> shape;  // The same.
};

// One number of one tensor.
struct Cell {
  TensorId tensor = 0;
  Statistic statistic = 0;
  double value = 0;
};

// The numbers of what one worker saved in one step.
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
  bool incomplete = false;               // Something of it is not there, and may still come.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_STEP_DATA_H_
