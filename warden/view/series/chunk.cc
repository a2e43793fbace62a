#include "warden/view/series/chunk.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warden::view {
namespace {

bool SameBits(double a, double b) {
  return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

// The width that holds the number exactly. Which NaN it is does not matter.
size_t WidthFor(double value) {
  const bool as_float =
      std::isnan(value) || static_cast<double>(static_cast<float>(value)) == value;
  return as_float ? sizeof(float) : sizeof(double);
}

// Few sizes, far apart: a chunk fills up while others do, and every size that it outgrows leaves a
// hole in the heap.
size_t CapacityFor(size_t count) {
  size_t capacity = 4;
  while (capacity < count) capacity *= 4;
  return capacity;
}

}  // namespace

size_t Chunk::RankOf(size_t slot) const {
  size_t rank = 0;
  for (size_t word = 0; word < slot / 64; ++word) {
    rank += static_cast<size_t>(std::popcount(present_[word]));
  }
  const uint64_t below = present_[slot / 64] & ((uint64_t{1} << (slot % 64)) - 1);
  return rank + static_cast<size_t>(std::popcount(below));
}

void Chunk::Store(size_t rank, double value) {
  if (width_ == sizeof(double)) {
    std::memcpy(numbers_.get() + rank * sizeof(double), &value, sizeof(double));
  } else {
    const auto narrow = static_cast<float>(value);
    std::memcpy(numbers_.get() + rank * sizeof(float), &narrow, sizeof(float));
  }
}

void Chunk::Grow(size_t width, size_t count) {
  if (width_ == 0 && count_ > 0) width = std::max(width, WidthFor(same_));
  width = std::max<size_t>(width, width_);
  if (width == width_ && count <= capacity_) return;
  Chunk grown;
  grown.width_ = static_cast<uint8_t>(width);
  grown.capacity_ = static_cast<uint16_t>(CapacityFor(count));
  grown.numbers_ = std::make_unique_for_overwrite<std::byte[]>(grown.capacity_ * width);
  for (size_t i = 0; i < count_; ++i) grown.Store(i, Number(i));
  numbers_ = std::move(grown.numbers_);
  capacity_ = grown.capacity_;
  width_ = grown.width_;
}

void Chunk::Set(size_t slot, double value) {
  const bool is_new = !Has(slot);
  const size_t others = count_ - (is_new ? 0 : 1);
  if (width_ == 0 && (others == 0 || SameBits(value, same_))) {
    same_ = value;
  } else {
    const size_t rank = RankOf(slot);
    Grow(WidthFor(value), others + 1);
    if (is_new) {
      std::byte* at = numbers_.get() + rank * width_;
      std::memmove(at + width_, at, (count_ - rank) * width_);
    }
    Store(rank, value);
  }
  if (!is_new) return;
  present_[slot / 64] |= uint64_t{1} << (slot % 64);
  ++count_;
}

void Chunk::Erase(size_t slot) {
  if (!Has(slot)) return;
  if (width_ != 0) {
    const size_t rank = RankOf(slot);
    std::byte* at = numbers_.get() + rank * width_;
    std::memmove(at, at + width_, (count_ - rank - 1) * width_);
  }
  present_[slot / 64] &= ~(uint64_t{1} << (slot % 64));
  --count_;
}

}  // namespace warden::view
