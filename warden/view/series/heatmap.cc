#include "warden/view/series/heatmap.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "warden/view/series/heatmap_fill.h"

namespace warden::view {
namespace {

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
HeatmapSlots UsedSlots(const std::vector<Row>& rows, const SlotAxis& axis) {
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
  HeatmapSlots slots;
  for (size_t i = 0; i < used.size(); ++i) {
    const size_t slot = axis.first() + i;
    if (used[i] && !std::isnan(axis.X(slot))) slots.emplace_back(axis.X(slot), slot);
  }
  if (!axis.ascends()) std::ranges::sort(slots);
  return slots;
}

}  // namespace

Heatmap MakeHeatmap(const Table& table, const HeatmapWanted& wanted) {
  Heatmap map;
  const std::vector<Row> rows = ChooseRows(table, wanted, &map);
  const SlotAxis axis(table, wanted.range);
  const auto slots = UsedSlots(rows, axis);
  if (rows.empty() || slots.empty()) return map;
  FillHeatmap(
      slots, axis, wanted.columns,
      [&](size_t row) { return PointsOf(table, *rows[row].tensor, rows[row].wanted, axis); }, &map);
  return map;
}

}  // namespace warden::view
