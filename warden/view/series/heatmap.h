#ifndef WARDEN_VIEW_SERIES_HEATMAP_H_
#define WARDEN_VIEW_SERIES_HEATMAP_H_

// A heatmap of many tensors over steps, for the dashboard's overview of a model.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warden/view/series/curve.h"

namespace warden::view {

// What to show. Pointers are into the table that is passed along. Tensors without the statistic, or
// that were not saved by the worker or in the mode, have no row.
struct HeatmapWanted {
  std::vector<const TensorEntry*> tensors;  // In the order of rows.
  std::optional<Statistic> statistic;       // None: each tensor's usual one.
  std::string worker;                       // Empty: the first by name, for each tensor.
  StepRange range;
  size_t columns = 500;  // At most.
};

// Statistics of many tensors over steps, at most kMostRows rows and kMostCells cells.
struct Heatmap {
  // More rows, or more cells, are of no use to a page: a row is at least a pixel high.
  static constexpr size_t kMostRows = 16384;
  static constexpr size_t kMostCells = 2 << 20;

  std::vector<std::string> rows;  // Tensors that have the statistic.
  size_t left_out = 0;            // Rows that are too many.
  std::vector<double> x;          // The step at which each column begins.
  double last = 0;                // The last step. Without meaning if there are no columns.
  // Row by row, rows.size() * x.size() of them: the value farthest from zero in each cell, NaN
  // where nothing was measured, and whether a NaN was measured.
  std::vector<float> values;
  std::vector<uint8_t> nans;
};

// Joins steps to at most wanted.columns columns. Columns are of steps at which any of the tensors
// was saved, so that none is empty. Call it within RunSeries::With. The number of columns is
// lowered further where rows times columns would exceed kMostCells. Takes time in proportion to the
// numbers that are kept of the tensors.
Heatmap MakeHeatmap(const Table& table, const HeatmapWanted& wanted);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_HEATMAP_H_
