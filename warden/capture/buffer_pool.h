#ifndef WARDEN_CAPTURE_BUFFER_POOL_H_
#define WARDEN_CAPTURE_BUFFER_POOL_H_

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

namespace warden::capture {

// Memory for copies of tensors. A step asks for the same sizes as the one before, so what comes
// back is kept: fresh memory would have to be cleared by the system page by page, which takes
// longer than the copy. Safe for many threads.
class BufferPool {
 public:
  struct Buffer {
    std::unique_ptr<std::byte[]> data;
    size_t capacity = 0;
  };

  // Keeps that much at most.
  explicit BufferPool(size_t most_bytes) : most_bytes_(most_bytes) {}

  // At least size bytes.
  Buffer Take(size_t size);
  void GiveBack(Buffer buffer);

 private:
  const size_t most_bytes_;
  std::mutex mutex_;
  std::multimap<size_t, std::unique_ptr<std::byte[]>> spare_;
  size_t spare_bytes_ = 0;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_BUFFER_POOL_H_
