#include "warden/capture/kernels/activity_buffers.h"

#include <sys/mman.h>

namespace warden::capture {

ActivityBuffers& ActivityBuffers::OfProcess() {
  static auto* const buffers = new ActivityBuffers();
  return *buffers;
}

void ActivityBuffers::Open(size_t bytes, size_t most) {
  const std::lock_guard lock(mutex_);
  if (bytes != bytes_) {
    // Those of another size; CUPTI may still have some, which come back and are used as they are.
    for (uint8_t* buffer : idle_) Free(buffer);
    idle_.clear();
    if (!lent_.empty() || !filled_.empty()) bytes = bytes_;
  }
  bytes_ = bytes;
  most_ = most;
  open_ = true;
}

void ActivityBuffers::Close() {
  const std::lock_guard lock(mutex_);
  open_ = false;
}

void ActivityBuffers::FreeIdle() {
  const std::lock_guard lock(mutex_);
  for (uint8_t* buffer : idle_) Free(buffer);
  idle_.clear();
}

std::optional<ActivityBuffers::Filled> ActivityBuffers::Take() {
  const std::lock_guard lock(mutex_);
  if (filled_.empty()) return std::nullopt;
  const Filled filled = filled_.front();
  filled_.erase(filled_.begin());
  return filled;
}

void ActivityBuffers::Return(uint8_t* data) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(data);
}

size_t ActivityBuffers::lent() const {
  const std::lock_guard lock(mutex_);
  return lent_.size();
}

void ActivityBuffers::Request(uint8_t** buffer, size_t* size, size_t* most_records) {
  *buffer = OfProcess().Lend(size);
  *most_records = 0;  // As many as there is room for.
}

void ActivityBuffers::Complete(void* /*context*/, uint32_t /*stream*/, uint8_t* buffer,
                               size_t /*size*/, size_t valid) {
  OfProcess().GiveBack(buffer, valid);
}

uint8_t* ActivityBuffers::Lend(size_t* size) {
  const std::lock_guard lock(mutex_);
  uint8_t* buffer = nullptr;
  *size = 0;
  if (open_ && !idle_.empty()) {
    buffer = idle_.back();
    idle_.pop_back();
  } else if (open_ && owned_ < most_) {
    // Pages of their own, which go back to the system at once.
    void* mapped =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped != MAP_FAILED) {
      buffer = static_cast<uint8_t*>(mapped);
      ++owned_;
    }
  }
  if (buffer == nullptr) return nullptr;  // CUPTI drops records, and counts them.
  lent_.insert(buffer);
  *size = bytes_;
  return buffer;
}

void ActivityBuffers::GiveBack(uint8_t* buffer, size_t valid) {
  const std::lock_guard lock(mutex_);
  if (lent_.erase(buffer) == 0) return;
  filled_.push_back({buffer, valid < bytes_ ? valid : bytes_});
}

void ActivityBuffers::Free(uint8_t* buffer) {
  munmap(buffer, bytes_);
  --owned_;
}

}  // namespace warden::capture
