#ifndef WARDEN_VIEW_SERIES_CHUNK_H_
#define WARDEN_VIEW_SERIES_CHUNK_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace warden::view {

// Up to 256 numbers, each at its slot; slots without one cost a bit. No number is ever rounded, yet
// what is saved as float32, as nearly everything is, takes four bytes, and what is the same at all
// slots, as the share of NaN mostly is, takes none.
class Chunk {
 public:
  static constexpr size_t kSlots = 256;

  size_t count() const { return count_; }
  bool Has(size_t slot) const { return (present_[slot / 64] >> (slot % 64) & 1) != 0; }
  // REQUIRES: Has(slot).
  double At(size_t slot) const { return Number(RankOf(slot)); }

  void Set(size_t slot, double value);
  void Erase(size_t slot);

  // Calls visit(slot, value) for each of the slots [first, last) that has one, in their order.
  template <class Visit>
  void ForEach(size_t first, size_t last, Visit&& visit) const {
    if (count_ == 0 || first >= last) return;
    size_t rank = RankOf(first);
    for (size_t word = first / 64; word * 64 < last; ++word) {
      for (uint64_t left = Within(word, first, last); left != 0; left &= left - 1) {
        visit(word * 64 + static_cast<size_t>(std::countr_zero(left)), Number(rank++));
      }
    }
  }

  const std::array<uint64_t, 4>& present() const { return present_; }
  // Memory beside the object itself.
  size_t heap_bytes() const { return static_cast<size_t>(capacity_) * width_; }

 private:
  // The slots of a word that have a number and lie in [first, last).
  uint64_t Within(size_t word, size_t first, size_t last) const {
    uint64_t bits = present_[word];
    if (word == first / 64) bits &= ~uint64_t{0} << (first % 64);
    if (last < (word + 1) * 64) bits &= ~(~uint64_t{0} << (last % 64));
    return bits;
  }
  // How many numbers are before the slot.
  size_t RankOf(size_t slot) const;
  double Number(size_t rank) const {
    if (width_ == 0) return same_;
    if (width_ == sizeof(float)) return Load<float>(rank);
    return Load<double>(rank);
  }
  template <class T>
  double Load(size_t rank) const {
    T value;
    std::memcpy(&value, numbers_.get() + rank * sizeof(T), sizeof(T));
    return value;
  }
  void Store(size_t rank, double value);
  // Makes room for count numbers, of that width at least.
  void Grow(size_t width, size_t count);

  std::array<uint64_t, 4> present_{};
  std::unique_ptr<std::byte[]> numbers_;
  double same_ = 0;  // While width_ is 0.
  uint16_t count_ = 0;
  uint16_t capacity_ = 0;
  uint8_t width_ = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_CHUNK_H_
