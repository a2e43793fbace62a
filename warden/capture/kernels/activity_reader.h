#ifndef WARDEN_CAPTURE_KERNELS_ACTIVITY_READER_H_
#define WARDEN_CAPTURE_KERNELS_ACTIVITY_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "warden/capture/kernels/cupti.h"
#include "warden/format/kernel_block.h"

namespace warden::capture {

// Brings times of CUPTI's records to nanoseconds since 1970. CUPTI counts so itself, unless another
// profiler of the process has given it a clock, such as the processor's counter; then two moments
// at which both clocks were read say how it runs.
class ActivityClock {
 public:
  // Both clocks, read now: the first time when recording begins, later before records are read.
  void Begin(int64_t wall_ns, uint64_t cupti);
  void Update(int64_t wall_ns, uint64_t cupti);

  int64_t ToWall(uint64_t cupti) const;

 private:
  int64_t wall_ns_ = 0;
  uint64_t cupti_ = 0;
  bool same_ = true;
  double ns_of_tick_ = 1;
};

// Turns CUPTI's records into events of a block. For one thread.
class ActivityReader {
 public:
  // Both outlive this.
  ActivityReader(const cupti::Library* library, format::KernelBlockWriter* writer)
      : library_(library), writer_(writer) {}

  // Reads the records of one buffer. Calls that say nothing about the GPU's work are left out, and
  // records without times or with times outside of these are counted as untimed.
  void Read(uint8_t* buffer, size_t valid, const ActivityClock& clock, int64_t earliest_ns,
            int64_t latest_ns);
  // The writer has begun another file: names are written again.
  void Restart();

  uint64_t kernels() const { return kernel_count_; }
  uint64_t events() const { return event_count_; }
  uint64_t untimed() const { return untimed_; }

 private:
  struct Span {
    int64_t earliest_ns, latest_ns;
  };
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  void Take(const cupti::Record& record, const ActivityClock& clock, const Span& span);
  // Fills in the times and adds the event.
  void Add(format::GpuEvent event, uint64_t start, uint64_t end, const ActivityClock& clock,
           const Span& span);
  uint32_t Lane(uint32_t device, uint32_t context, uint32_t stream);
  uint32_t NameOfKernel(const char* mangled);
  // Nothing for a call that is left out.
  static constexpr uint32_t kLeftOut = UINT32_MAX;
  uint32_t NameOfCall(uint32_t domain, uint32_t function);
  uint32_t NameOfWait(uint32_t type);

  const cupti::Library* const library_;
  format::KernelBlockWriter* const writer_;
  std::unordered_map<std::string, uint32_t, TextHash, std::equal_to<>> kernels_;
  std::unordered_map<uint64_t, uint32_t> calls_;  // By domain and function.
  std::unordered_map<uint32_t, uint32_t> waits_;
  uint64_t kernel_count_ = 0;
  uint64_t event_count_ = 0;
  uint64_t untimed_ = 0;
};

// The name of a kernel as people know it: demangled if it can be.
std::string ReadableKernel(const char* mangled);
// The name of a call as CUPTI tells it, without the version at its end: "cudaLaunchKernel" for
// "cudaLaunchKernel_v7000", "cudaMemcpyAsync" for "cudaMemcpyAsync_ptsz_v7000".
std::string_view ReadableCall(std::string_view name);
// Whether a call tells nothing about the GPU's work, such as cudaGetDevice.
bool IsIdleCall(std::string_view name);

}  // namespace warden::capture

#endif  // WARDEN_CAPTURE_KERNELS_ACTIVITY_READER_H_
