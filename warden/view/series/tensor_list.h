#ifndef WARDEN_VIEW_SERIES_TENSOR_LIST_H_
#define WARDEN_VIEW_SERIES_TENSOR_LIST_H_

// Lists of what a run has saved, for the dashboard: tensors, modes, workers, times of steps. Each
// takes the lock of the RunSeries for the call, returns values, and reflects what has been read so
// far.

#include <optional>
#include <string>
#include <vector>

#include "warden/view/series/run_series.h"

namespace warden::view {

// A tensor as far as it has been read. Numbers grow while a run is read: `steps` counts what was
// read, not what was saved.
struct TensorSummary {
  std::string name;
  std::string dtype;                          // Empty: its values were never saved.
  std::optional<std::vector<int64_t>> shape;  // The last one; none: never saved.
  std::vector<std::string> collections;
  std::vector<Mode> modes;
  int64_t steps = 0;  // Of the worker that saved most.
  Step first = 0;     // Global.
  Step last = 0;
  std::vector<Statistic> statistics;  // As StatisticsOf.
};

// All tensors, in the order of the model. Copies names and shapes of all tensors: for a page's
// list, not for each chart.
std::vector<TensorSummary> ListTensors(const RunSeries& run);
// The modes in which anything was saved; kGlobal only where that is what the files say.
std::vector<Mode> ModesOf(const RunSeries& run);
// Names of workers, sorted.
std::vector<std::string> WorkersOf(const RunSeries& run);

// When steps were saved: two columns of one length, by step. Times are in seconds since 1970; NaN:
// unknown.
struct SavedTimes {
  std::vector<double> steps, times;
};
// Of the steps of the mode that have been read; for kGlobal, of all steps. Steps are global for
// kGlobal, and those of the mode otherwise.
SavedTimes TimesOf(const RunSeries& run, Mode mode);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_TENSOR_LIST_H_
