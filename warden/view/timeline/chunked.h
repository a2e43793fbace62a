#ifndef WARDEN_VIEW_TIMELINE_CHUNKED_H_
#define WARDEN_VIEW_TIMELINE_CHUNKED_H_

// The storage of a timeline that is drawn while it is read: no lock between the thread that adds
// millions of events and the threads that answer requests.

#include <array>
#include <cstddef>
#include <memory>

namespace warden::view {

// A column that one thread appends to while others read: nothing in it ever moves, and it never
// needs more than one chunk beyond what it holds. EventStore is made of these.
//
// Readers may use the elements that existed when something that synchronizes, such as the mutex
// around a TimelineSnapshot, was passed to them, and must know the number from there. T is a plain
// value without a destructor that matters. 65,536 elements in a chunk, 512 chunks; an empty one
// takes 4 KB.
template <class T>
class Chunked {
 public:
  static constexpr size_t kChunk = size_t{1} << 16;
  // Elements at most.
  static constexpr size_t kMost = kChunk * 512;

  // For the one thread that appends. REQUIRES: size() < kMost.
  void Add(const T& value) {
    std::unique_ptr<T[]>& chunk = chunks_[size_ / kChunk];
    if (chunk == nullptr) chunk.reset(new T[kChunk]);
    chunk[size_ % kChunk] = value;
    ++size_;
  }
  // REQUIRES: i is an element that this thread knows of. The reference is valid as long as the
  // column.
  const T& operator[](size_t i) const { return chunks_[i / kChunk][i % kChunk]; }

  // For the thread that appends.
  size_t size() const { return size_; }

 private:
  std::array<std::unique_ptr<T[]>, kMost / kChunk> chunks_;
  size_t size_ = 0;
};

}  // namespace warden::view

#endif  // WARDEN_VIEW_TIMELINE_CHUNKED_H_
