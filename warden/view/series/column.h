#ifndef WARDEN_VIEW_SERIES_COLUMN_H_
#define WARDEN_VIEW_SERIES_COLUMN_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "warden/view/series/chunk.h"

namespace warden::view {

// The lesser and the greater of what was measured; NaN counts only where nothing else was.
inline double Least(double a, double b) { return std::fmin(a, b); }
inline double Most(double a, double b) { return std::fmax(a, b); }

// One statistic of one tensor: at some slots a number or, once slots were joined, the least and the
// most of their numbers.
class Column {
 public:
  // In place of what is there.
  void Set(size_t slot, double value);
  // Together with what is there.
  void Widen(size_t slot, double low, double high);
  // False if nothing was there.
  bool Erase(size_t slot);

  // Moves every slot to where `place` says, which never reverses their order. Those that meet are
  // joined.
  void Move(const std::function<size_t(size_t)>& place);

  // Calls visit(slot, low, high) for the slots in [first, last), in their order.
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

  const std::vector<Chunk>& chunks() const { return low_; }
  bool empty() const;
  size_t bytes() const { return bytes_; }

 private:
  void Resize(std::vector<Chunk>* chunks, size_t size);
  void Put(std::vector<Chunk>* chunks, size_t slot, double value);

  std::vector<Chunk> low_;
  std::vector<Chunk> high_;  // Empty as long as it would be the same as low_.
  size_t bytes_ = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_COLUMN_H_
