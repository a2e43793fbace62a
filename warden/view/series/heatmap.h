#ifndef WARDEN_VIEW_SERIES_HEATMAP_H_
#define WARDEN_VIEW_SERIES_HEATMAP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warden/view/series/curve.h"

namespace warden::view {

struct HeatmapWanted {
  std::vector<const TensorEntry*> tensors;  // In the order of rows.
  std::optional<Statistic> statistic;       // None: each tensor's usual one.
  std::string worker;
  StepRange range;
  size_t columns = 500;  // At most.
};

// Statistics of many tensors over steps.
struct Heatmap {
  // More rows, or more cells, are of no use to a page.
  static constexpr size_t kMostRows = 4096;
  static constexpr size_t kMostCells = 2 << 20;

  std::vector<std::string> rows;  // Tensors that have the statistic.
  size_t left_out = 0;            // Rows that are too many.
  std::vector<double> x;          // The step at which each column begins.
  double last = 0;                // The last step. Without meaning if there are no columns.
  // Row by row: of each cell the value farthest from zero, NaN where nothing was measured, and
  // whether a NaN was measured.
  std::vector<float> values;
  std::vector<uint8_t> nans;
};

// Columns are of steps at which any of the tensors was saved, so that none is empty.
Heatmap MakeHeatmap(const Table& table, const HeatmapWanted& wanted);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_HEATMAP_H_
