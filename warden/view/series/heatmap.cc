#include "warden/view/series/heatmap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace warden::view {
namespace {

constexpr uint32_t kNoColumn = std::numeric_limits<uint32_t>::max();

struct Row {
  const TensorEntry* tensor = nullptr;
  Wanted wanted;
  WorkerId worker = 0;
};

bool SavedIn(const TensorEntry& tensor, WorkerId worker, Mode mode) {
  return std::ranges::any_of(tensor.saved, [&](const Saved& saved) {
    return saved.worker == worker && (mode == Mode::kGlobal || saved.mode == mode);
  });
}

std::vector<Row> ChooseRows(const Table& table, const HeatmapWanted& wanted, Heatmap* map) {
  std::vector<Row> rows;
  for (const TensorEntry* tensor : wanted.tensors) {
    const Wanted what{wanted.statistic ? *wanted.statistic : UsualStatistic(*tensor),
                      wanted.worker};
    const auto worker = WorkerFor(table, *tensor, what);
    if (!worker || !SavedIn(*tensor, *worker, wanted.range.mode)) continue;
    if (rows.size() == Heatmap::kMostRows) {
      ++map->left_out;
      continue;
    }
    rows.push_back({tensor, what, *worker});
    map->rows.push_back(tensor->name);
  }
  return rows;
}

void MarkSlots(const Column& column, const SlotAxis& axis, std::vector<bool>* used) {
  for (size_t c = 0; c < column.chunks().size(); ++c) {
    const auto& present = column.chunks()[c].present();
    for (size_t word = 0; word < present.size(); ++word) {
      for (uint64_t left = present[word]; left != 0; left &= left - 1) {
        const size_t slot =
            c * Chunk::kSlots + word * 64 + static_cast<size_t>(std::countr_zero(left));
        if (slot >= axis.first() && slot < axis.last()) (*used)[slot - axis.first()] = true;
      }
    }
  }
}

// The slots of the range at which any row was saved, by step.
std::vector<std::pair<double, size_t>> UsedSlots(const std::vector<Row>& rows,
                                                 const SlotAxis& axis) {
  std::vector<bool> used(axis.last() - axis.first());
  for (const Row& row : rows) {
    for (const Saved& saved : row.tensor->saved) {
      if (saved.worker != row.worker) continue;
      if (axis.mode() != Mode::kGlobal && saved.mode != axis.mode()) continue;
      for (const Source& source : SourcesOf(row.wanted.statistic)) {
        if (const Column* column = saved.Find(source.from)) MarkSlots(*column, axis, &used);
      }
    }
  }
  std::vector<std::pair<double, size_t>> slots;
  for (size_t i = 0; i < used.size(); ++i) {
    const size_t slot = axis.first() + i;
    if (used[i] && !std::isnan(axis.X(slot))) slots.emplace_back(axis.X(slot), slot);
  }
  if (!axis.ascends()) std::ranges::sort(slots);
  return slots;
}

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

Heatmap MakeHeatmap(const Table& table, const HeatmapWanted& wanted) {
  Heatmap map;
  const std::vector<Row> rows = ChooseRows(table, wanted, &map);
  const SlotAxis axis(table, wanted.range);
  const auto slots = UsedSlots(rows, axis);
  if (rows.empty() || slots.empty()) return map;
  const size_t most =
      std::clamp<size_t>(wanted.columns, 1, std::max<size_t>(Heatmap::kMostCells / rows.size(), 1));
  const size_t per = (slots.size() + most - 1) / most;
  std::vector<uint32_t> column_of(axis.last() - axis.first(), kNoColumn);
  for (size_t i = 0; i < slots.size(); ++i) {
    if (i % per == 0) map.x.push_back(slots[i].first);
    column_of[slots[i].second - axis.first()] = static_cast<uint32_t>(i / per);
  }
  map.last = slots.back().first;
  const size_t columns = map.x.size();
  map.values.assign(rows.size() * columns, std::numeric_limits<float>::quiet_NaN());
  map.nans.assign(rows.size() * columns, 0);
  for (size_t i = 0; i < rows.size(); ++i) {
    FillRow(PointsOf(table, *rows[i].tensor, rows[i].wanted, axis), column_of, axis.first(),
            map.values.data() + i * columns, map.nans.data() + i * columns);
  }
  return map;
}

}  // namespace warden::view
