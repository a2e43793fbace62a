#ifndef WARDEN_VIEW_SERIES_TENSOR_LIST_H_
#define WARDEN_VIEW_SERIES_TENSOR_LIST_H_

#include <optional>
#include <string>
#include <vector>

#include "warden/view/series/run_series.h"

namespace warden::view {

// A tensor as far as it has been read.
struct TensorSummary {
  std::string name;
  std::string dtype;  // Empty: its values were never saved.
  std::optional<std::vector<int64_t>> shape;
  std::vector<std::string> collections;
  std::vector<Mode> modes;
  int64_t steps = 0;  // Of the worker who saved most.
  Step first = 0;     // Global.
  Step last = 0;
  std::vector<Statistic> statistics;
};

// In the order of the model.
std::vector<TensorSummary> ListTensors(const RunSeries& run);
// The modes in which anything was saved; kGlobal only where that is what the files say.
std::vector<Mode> ModesOf(const RunSeries& run);
// By name.
std::vector<std::string> WorkersOf(const RunSeries& run);

// When each step of the mode that has been read was saved, by step.
struct StepTimes {
  std::vector<double> steps, times;
};
StepTimes TimesOf(const RunSeries& run, Mode mode);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_TENSOR_LIST_H_
