#include "warden/view/series/heatmap_fill.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace warden::view {
namespace {

constexpr uint32_t kNoColumn = std::numeric_limits<uint32_t>::max();

double Farther(double a, double b) {
  if (std::isnan(a)) return b;
  return std::abs(b) > std::abs(a) ? b : a;
}

void FillRow(const std::vector<Point>& points, const std::vector<uint32_t>& column_of,
             size_t first_slot, float* values, uint8_t* nans) {
  for (const Point& point : points) {
    const uint32_t column = column_of[point.slot - first_slot];
    if (column == kNoColumn) continue;
    if (std::isnan(point.low)) nans[column] = 1;
    const double farthest = Farther(point.low, point.high);
    values[column] = static_cast<float>(Farther(values[column], farthest));
  }
}

}  // namespace

void FillHeatmap(const HeatmapSlots& slots, const SlotAxis& axis, size_t columns,
                 const std::function<std::vector<Point>(size_t)>& points, Heatmap* map) {
  const size_t rows = map->rows.size();
  const size_t most =
      std::clamp<size_t>(columns, 1, std::max<size_t>(Heatmap::kMostCells / rows, 1));
  const size_t per = (slots.size() + most - 1) / most;
  std::vector<uint32_t> column_of(axis.last() - axis.first(), kNoColumn);
  for (size_t i = 0; i < slots.size(); ++i) {
    if (i % per == 0) map->x.push_back(slots[i].first);
    column_of[slots[i].second - axis.first()] = static_cast<uint32_t>(i / per);
  }
  map->last = slots.back().first;
  const size_t width = map->x.size();
  map->values.assign(rows * width, std::numeric_limits<float>::quiet_NaN());
  map->nans.assign(rows * width, 0);
  for (size_t row = 0; row < rows; ++row) {
    FillRow(points(row), column_of, axis.first(), map->values.data() + row * width,
            map->nans.data() + row * width);
  }
}

}  // namespace warden::view
