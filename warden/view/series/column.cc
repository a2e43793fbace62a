#include "warden/view/series/column.h"

#include <utility>

namespace warden::view {

void Column::Resize(std::vector<Chunk>* chunks, size_t size) {
  bytes_ -= chunks->capacity() * sizeof(Chunk);
  chunks->resize(size);
  bytes_ += chunks->capacity() * sizeof(Chunk);
}

void Column::Put(std::vector<Chunk>* chunks, size_t slot, double value) {
  const size_t place = slot / Chunk::kSlots;
  if (place >= chunks->size()) Resize(chunks, place + 1);
  Chunk& chunk = (*chunks)[place];
  const size_t before = chunk.heap_bytes();
  chunk.Set(slot % Chunk::kSlots, value);
  bytes_ += chunk.heap_bytes() - before;
}

void Column::Set(size_t slot, double value) {
  Put(&low_, slot, value);
  if (!high_.empty()) Put(&high_, slot, value);
}

void Column::Widen(size_t slot, double low, double high) {
  const size_t place = slot / Chunk::kSlots;
  const size_t within = slot % Chunk::kSlots;
  if (place < low_.size() && low_[place].Has(within)) {
    const double low_before = low_[place].At(within);
    const double high_before = high_.empty() ? low_before : high_[place].At(within);
    low = Least(low, low_before);
    high = Most(high, high_before);
  }
  const bool same = low == high || (std::isnan(low) && std::isnan(high));
  if (high_.empty() && !same) {
    Column whole;
    ForEach(0, low_.size() * Chunk::kSlots,
            [&](size_t i, double value, double) { whole.Put(&whole.low_, i, value); });
    high_ = std::move(whole.low_);
    bytes_ += whole.bytes_;
    Resize(&high_, low_.size());
  }
  Put(&low_, slot, low);
  if (!high_.empty()) Put(&high_, slot, high);
}

bool Column::Erase(size_t slot) {
  const size_t place = slot / Chunk::kSlots;
  const size_t within = slot % Chunk::kSlots;
  if (place >= low_.size() || !low_[place].Has(within)) return false;
  low_[place].Erase(within);
  if (!high_.empty()) high_[place].Erase(within);
  return true;
}

void Column::Move(const std::function<size_t(size_t)>& place) {
  Column moved;
  ForEach(0, low_.size() * Chunk::kSlots,
          [&](size_t slot, double low, double high) { moved.Widen(place(slot), low, high); });
  *this = std::move(moved);
}

bool Column::empty() const {
  return std::ranges::all_of(low_, [](const Chunk& chunk) { return chunk.count() == 0; });
}

}  // namespace warden::view
