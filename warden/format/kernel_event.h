#ifndef WARDEN_FORMAT_KERNEL_EVENT_H_
#define WARDEN_FORMAT_KERNEL_EVENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warden::format {

// What a GPU did and what the training asked of it, as capture records it and kernel files
// (kernel_block.h) hold it. Plain values.

// The kinds of events. The numbers are those on disk.
enum class GpuWork : uint8_t {
  kKernel = 0,
  kCopy = 1,  // Memory copied to, from or on a device.
  kSet = 2,   // Memory filled with a value.
  kCall = 3,  // A call of the CUDA runtime or driver, by a thread of the training.
  kWait = 4,  // A thread or a stream that waited for a GPU.
};
inline constexpr size_t kGpuWorks = 5;

// "kernel", "copy", "set", "call", "wait"; valid for the life of the process.
std::string_view GpuWorkName(GpuWork work);

// The directions of a copy, with CUDA's numbers; others are possible.
enum class CopyKind : uint8_t {
  kUnknown = 0,
  kHostToDevice = 1,
  kDeviceToHost = 2,
  kDeviceToDevice = 8,
  kHostToHost = 9,
  kPeerToPeer = 10,
};
// Set in GpuEvent::copy if the host's memory is not pinned, so that the driver copies it twice.
inline constexpr uint8_t kPageable = 0x10;
// "host to device", "device to host (pageable)", ...
std::string CopyName(uint8_t copy);

// How a kernel was launched; the same for most launches of a kernel.
struct KernelLaunch {
  uint32_t name = 0;  // Of KernelDictionary::names.
  std::array<uint32_t, 3> grid = {};
  std::array<uint32_t, 3> block = {};
  uint32_t registers = 0;       // Of a thread.
  uint32_t static_shared = 0;   // Bytes of a block,
  uint32_t dynamic_shared = 0;  // of which these are asked for at the launch.

  bool operator==(const KernelLaunch&) const = default;
};

// Where an event happened: a stream of a device, or a thread of the training.
struct GpuLane {
  uint32_t device = 0;
  uint32_t context = 0;
  uint32_t stream = 0;
  uint32_t thread = 0;  // As CUPTI numbers threads: not the system's number. 0: not a thread.

  bool operator==(const GpuLane&) const = default;
};

// One event. Times are in nanoseconds since 1970, by the clock of the machine.
struct GpuEvent {
  GpuWork work = GpuWork::kKernel;
  uint8_t copy = 0;          // CopyKind, with kPageable. Copies only.
  uint32_t name = 0;         // Of names: calls and waits. Of launches: kernels.
  uint32_t lane = 0;         // Of lanes.
  uint32_t correlation = 0;  // The same for a call and for what it started; 0: none.
  uint32_t graph = 0;        // The CUDA graph; 0: none.
  uint64_t graph_node = 0;   // 0: none.
  uint64_t bytes = 0;        // Copied or set.
  int64_t start_ns = 0;
  int64_t duration_ns = 0;

  int64_t end_ns() const { return start_ns + duration_ns; }
  bool operator==(const GpuEvent&) const = default;
};

// A stretch of time in which everything was recorded.
struct KernelWindow {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  uint64_t dropped = 0;  // Events for which there was no room.

  bool operator==(const KernelWindow&) const = default;
};

// Where a step began; a step lasts to the next mark or to the end of its window.
struct StepMark {
  int64_t step = 0;
  int64_t start_ns = 0;

  bool operator==(const StepMark&) const = default;
};

// What the numbers in the events of a file mean.
struct KernelDictionary {
  std::vector<std::string> names;  // As the compiler's tools print them; UTF-8 is not checked.
  size_t name_bytes = 0;           // Of all names.
  std::vector<KernelLaunch> launches;
  std::vector<GpuLane> lanes;
};

// The content of one block.
struct KernelBlock {
  std::vector<GpuEvent> events;  // By kind, then by start.
  std::vector<KernelWindow> windows;
  std::vector<StepMark> steps;
};

}  // namespace warden::format

#endif  // WARDEN_FORMAT_KERNEL_EVENT_H_
