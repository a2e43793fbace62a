#ifndef WARDEN_VIEW_SERIES_STEP_DATA_H_
#define WARDEN_VIEW_SERIES_STEP_DATA_H_

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

using TensorId = uint32_t;
using WorkerId = uint32_t;

// What is known of a tensor beside its numbers. Told when it is new or has changed.
struct Description {
  TensorId tensor = 0;
  std::optional<std::string> name;  // The first time. Numbers of tensors go up by one.
  std::optional<DType> dtype;       // None: its values were never saved.
  std::optional<std::vector<int64_t>> shape;
};

struct Cell {
  TensorId tensor = 0;
  Statistic statistic = 0;
  double value = 0;
};

// The numbers of what one worker saved in one step.
struct StepData {
  Step step = 0;
  Mode mode = Mode::kGlobal;
  Step mode_step = 0;
  double time = std::numeric_limits<double>::quiet_NaN();  // When it was saved.
  std::vector<Description> described;
  std::vector<TensorId> saved;  // All tensors of the step, ascending, each once.
  std::vector<Cell> cells;      // By tensor and statistic, each once.
  std::vector<trial::Problem> problems;
  bool incomplete = false;  // Something of it is not there, and may come.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_STEP_DATA_H_
