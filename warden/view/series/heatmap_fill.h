#ifndef WARDEN_VIEW_SERIES_HEATMAP_FILL_H_
#define WARDEN_VIEW_SERIES_HEATMAP_FILL_H_

// How the cells of heatmaps are filled: those of tensors (heatmap.h) and of workers (rank_map.h).

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "warden/view/series/curve.h"
#include "warden/view/series/heatmap.h"

namespace warden::view {

// x and slot of each step that has a column, by x.
using HeatmapSlots = std::vector<std::pair<double, size_t>>;

// Joins the slots to at most `columns` columns and fills the cells of map->rows, which is not
// empty. points(row): of a row, on this axis; called once for each row, in their order. REQUIRES:
// slots are not empty.
void FillHeatmap(const HeatmapSlots& slots, const SlotAxis& axis, size_t columns,
                 const std::function<std::vector<Point>(size_t)>& points, Heatmap* map);

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_HEATMAP_FILL_H_
