#include "warden/capture/buffer_pool.h"

#include <utility>

namespace warden::capture {
namespace {

// The allocator keeps smaller ones warm by itself.
constexpr size_t kLeastKept = size_t{64} << 10;

}  // namespace

BufferPool::Buffer BufferPool::Take(size_t size) {
  if (size >= kLeastKept) {
    const std::lock_guard lock(mutex_);
    const auto found = spare_.lower_bound(size);
    // One that is far larger is kept for those who need it.
    if (found != spare_.end() && found->first <= 2 * size) {
      Buffer buffer{std::move(found->second), found->first};
      spare_bytes_ -= found->first;
      spare_.erase(found);
      return buffer;
    }
  }
  return {std::make_unique_for_overwrite<std::byte[]>(size), size};
}

void BufferPool::GiveBack(Buffer buffer) {
  if (buffer.capacity < kLeastKept || buffer.capacity > most_bytes_) return;
  const std::lock_guard lock(mutex_);
  // What has not been asked for makes room for what was.
  while (spare_bytes_ + buffer.capacity > most_bytes_) {
    spare_bytes_ -= spare_.begin()->first;
    spare_.erase(spare_.begin());
  }
  spare_bytes_ += buffer.capacity;
  spare_.emplace(buffer.capacity, std::move(buffer.data));
}

}  // namespace warden::capture
