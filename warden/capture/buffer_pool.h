#ifndef WARDEN_CAPTURE_BUFFER_POOL_H_
#define WARDEN_CAPTURE_BUFFER_POOL_H_

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

namespace warden::capture {

// Memory for copies of tensors, used by Writer. A step asks for the same sizes as the one before,
// so what comes back is kept: fresh memory would have to be cleared by the system page by page,
// which takes longer than the copy. Safe for many threads.
//
//   BufferPool::Buffer buffer = pool.Take(size);
//   std::memcpy(buffer.data.get(), from, size);
//   ... use it, on any thread ...
//   pool.GiveBack(std::move(buffer));
class BufferPool {
 public:
  // Owned by whoever took it; it may also be destroyed instead of being given back.
  struct Buffer {
    std::unique_ptr<std::byte[]> data;
    size_t capacity = 0;  // Bytes.
  };

  // Keeps that many bytes at most; what is taken is not limited.
  explicit BufferPool(size_t most_bytes) : most_bytes_(most_bytes) {}

  // At least size bytes, with whatever was in them. Throws std::bad_alloc where memory ends.
  Buffer Take(size_t size);
  // Keeps the buffer for the next Take; frees it, or smaller ones, where there is no room. Those
  // below 64 KiB are always freed: the allocator reuses them well.
  void GiveBack(Buffer buffer);

 private:
  const size_t most_bytes_;
  std::mutex mutex_;
  std::multimap<size_t, std::unique_ptr<std::byte[]>> spare_;
  size_t spare_bytes_ = 0;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_BUFFER_POOL_H_
