#ifndef WARDEN_VIEW_SERIES_COLUMN_H_
#define WARDEN_VIEW_SERIES_COLUMN_H_

// A statistic of a tensor over the steps of a run, in chunks. Table has one for each tensor,
// worker, mode and statistic; curves and heatmaps read them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "warden/view/series/chunk.h"

namespace warden::view {

// The smaller and the larger of two measurements; NaN counts only where nothing else was measured.
inline double Least(double a, double b) { return std::fmin(a, b); }
inline double Most(double a, double b) { return std::fmax(a, b); }

// One statistic of one tensor: at some slots a number or, once slots were joined, the minimum and
// maximum of their numbers. A slot is a step, or several neighboring steps. For one thread.
//
//   column.Set(slot, 0.5);
//   column.ForEach(0, slots, [&](size_t slot, double low, double high) { Draw(slot, low, high); });
//
// The maxima are only kept once they differ from the minima: a run that was never joined takes half
// the memory.
class Column {
 public:
  // Replaces what is at the slot by one number. Any slot: what is between is empty and costs
  // little.
  void Set(size_t slot, double value);
  // Extends what is at the slot so that it includes low and high.
  void Widen(size_t slot, double low, double high);
  // Empties the slot. False if nothing was there.
  bool Erase(size_t slot);

  // Moves every slot to where `place` says, which must never reverse their order. Those that meet
  // are joined: minimum and maximum of all. Builds the column again: time and memory in proportion
  // to its size.
  void Move(const std::function<size_t(size_t)>& place);

  // Calls visit(slot, low, high) for the slots in [first, last) that have a number, in their order.
  // low and high are the same where no slots were joined. The visitor must not change the column.
  template <class Visit>
  void ForEach(size_t first, size_t last, Visit&& visit) const {
    last = std::min(last, low_.size() * Chunk::kSlots);
    for (size_t c = first / Chunk::kSlots; c * Chunk::kSlots < last; ++c) {
      const size_t base = c * Chunk::kSlots;
      const size_t begin = std::max(first, base) - base;
      const size_t end = std::min(last - base, Chunk::kSlots);
      if (high_.empty()) {
        low_[c].ForEach(begin, end, [&](size_t i, double v) { visit(base + i, v, v); });
      } else {
        const Chunk& high = high_[c];
        low_[c].ForEach(begin, end, [&](size_t i, double v) { visit(base + i, v, high.At(i)); });
      }
    }
  }

  // Chunk i has the slots from i * Chunk::kSlots on; which slots are used is in Chunk::present().
  const std::vector<Chunk>& chunks() const { return low_; }
  bool empty() const;
  // Memory that the chunks take, for budgets.
  size_t bytes() const { return bytes_; }

 private:
  // These keep bytes_ up to date.
  void Resize(std::vector<Chunk>* chunks, size_t size);
  void Put(std::vector<Chunk>* chunks, size_t slot, double value);

  std::vector<Chunk> low_;
  std::vector<Chunk> high_;  // Empty as long as it would be the same as low_.
  size_t bytes_ = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_COLUMN_H_
