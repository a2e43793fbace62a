#ifndef WARDEN_VIEW_SERIES_CHUNK_H_
#define WARDEN_VIEW_SERIES_CHUNK_H_

// The storage of one statistic at up to 256 steps. Tables hold hundreds of thousands of these, so
// every byte counts.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace warden::view {

// Up to 256 numbers, each at its slot; slots without one cost a bit. No number is ever rounded, yet
// what is saved as float32, as nearly everything is, takes four bytes, and what is the same at all
// slots, as the share of NaN mostly is, takes none. A Column is made of chunks. Can be moved, not
// copied. For one thread.
//
// 56 bytes without numbers. Room grows in few sizes, far apart (4, 16, 64, 256 numbers): chunks
// fill up side by side, and every size that is outgrown would leave a hole in the heap.
class Chunk {
 public:
  // Slots are 0 to kSlots - 1; no method checks that.
  static constexpr size_t kSlots = 256;

  size_t count() const { return count_; }
  bool Has(size_t slot) const { return (present_[slot / 64] >> (slot % 64) & 1) != 0; }
  // The number at the slot. REQUIRES: Has(slot).
  double At(size_t slot) const { return Number(RankOf(slot)); }

  // Puts a number into the slot, replacing what is there. Which NaN it is may be lost. Moves the
  // numbers behind it if the slot was empty. One number that needs a double widens all of the
  // chunk.
  void Set(size_t slot, double value);
  // Empties the slot; nothing happens if it is empty. Memory is kept.
  void Erase(size_t slot);

  // Calls visit(slot, value) for each of the slots [first, last) that has a number, in their order.
  // Faster than At() for each. The visitor must not change the chunk.
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

  // Which slots have a number: slot i is bit i % 64 of word i / 64.
  const std::array<uint64_t, 4>& present() const { return present_; }
  // Memory beside the object itself, for budgets.
  size_t heap_bytes() const { return static_cast<size_t>(capacity_) * width_; }

 private:
  // The slots of a word that have a number and lie in [first, last), as bits.
  uint64_t Within(size_t word, size_t first, size_t last) const {
    uint64_t bits = present_[word];
    if (word == first / 64) bits &= ~uint64_t{0} << (first % 64);
    if (last < (word + 1) * 64) bits &= ~(~uint64_t{0} << (last % 64));
    return bits;
  }
  // How many numbers are before the slot; the numbers lie in numbers_ in this order, without gaps.
  // Counts bits of at most four words.
  size_t RankOf(size_t slot) const;
  // The number of that rank, whatever the width.
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
  // Overwrites the number of that rank. REQUIRES: width_ > 0 holds it exactly.
  void Store(size_t rank, double value);
  // Makes room for count numbers, of that width at least. Widens what is there if needed.
  void Grow(size_t width, size_t count);

  std::array<uint64_t, 4> present_{};     // A bit for each slot.
  std::unique_ptr<std::byte[]> numbers_;  // capacity_ numbers of width_ bytes; not aligned.
  double same_ = 0;                       // The number of all slots, while width_ is 0.
  uint16_t count_ = 0;                    // Numbers in use.
  uint16_t capacity_ = 0;
  uint8_t width_ = 0;  // 0: all are the same; 4: float; 8: double.
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_SERIES_CHUNK_H_
