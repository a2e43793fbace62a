#ifndef WARDEN_CAPTURE_KERNELS_ACTIVITY_BUFFERS_H_
#define WARDEN_CAPTURE_KERNELS_ACTIVITY_BUFFERS_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <vector>

namespace warden::capture {

// Memory that CUPTI fills with records: lent, filled, read, lent again, so that it stays bounded.
// CUPTI asks for it and gives it back on any thread, without saying whose it is, and may do both
// while the process ends; therefore there is one for the process, which is never destroyed.
//
//   ActivityBuffers& buffers = ActivityBuffers::OfProcess();
//   buffers.Open(size, count);
//   register_callbacks(&ActivityBuffers::Request, &ActivityBuffers::Complete);
//   while (const auto filled = buffers.Take()) { ...; buffers.Return(filled->data); }
//
// Safe for many threads.
class ActivityBuffers {
 public:
  static ActivityBuffers& OfProcess();

  // From now on up to `most` buffers of so many bytes are lent.
  void Open(size_t bytes, size_t most);
  // No more are lent. Those that CUPTI still has come back when it gives them back.
  void Close();
  // Frees what is neither lent nor filled.
  void FreeIdle();

  struct Filled {
    uint8_t* data = nullptr;
    size_t valid = 0;  // Bytes with records.
  };
  // The next of the filled ones, in their order; nothing if there is none. The caller returns it.
  std::optional<Filled> Take();
  void Return(uint8_t* data);

  // How many CUPTI has.
  size_t lent() const;

  // For CUPTI. A buffer that is not one of these, such as that of another profiler, is ignored.
  static void Request(uint8_t** buffer, size_t* size, size_t* most_records);
  static void Complete(void* context, uint32_t stream, uint8_t* buffer, size_t size, size_t valid);

 private:
  ActivityBuffers() = default;

  uint8_t* Lend(size_t* size);
  void GiveBack(uint8_t* buffer, size_t valid);
  void Free(uint8_t* buffer);

  mutable std::mutex mutex_;
  bool open_ = false;
  size_t bytes_ = 0;
  size_t most_ = 0;
  size_t owned_ = 0;  // Idle, lent, filled or taken.
  std::vector<uint8_t*> idle_;
  std::unordered_set<uint8_t*> lent_;
  std::vector<Filled> filled_;
};

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_KERNELS_ACTIVITY_BUFFERS_H_
