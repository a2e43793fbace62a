#ifndef WARDEN_CAPTURE_KERNELS_CUPTI_RECORDS_H_
#define WARDEN_CAPTURE_KERNELS_CUPTI_RECORDS_H_

// How CUPTI lays out the records of GPU activity in memory, as its documentation has it: the
// members that are read, at the places that they have in all versions of kKnownCupti. A record of
// CUPTI may be longer; cuptiActivityGetNextRecord knows by how much. Used by ActivityReader, and by
// the stand-in of the tests.

#include <cstddef>
#include <cstdint>

namespace warden::capture::cupti {

// What a record is about, and what is turned on and off. Of several that CUPTI has.
enum Kind : uint32_t {
  kCopyKind = 1,
  kSetKind = 2,
  kSerialKernelKind = 3,
  kDriverKind = 4,
  kRuntimeKind = 5,
  kKernelKind = 10,  // Turned on instead of kSerialKernelKind, with which kernels do not overlap.
  kPeerCopyKind = 22,
  kWaitKind = 38,
};

// CUPTI's results, of which only some are distinguished.
enum ResultCode : int {
  kSuccess = 0,
  kNoMoreRecords = 12,
  kBrokenRecord = 21,
  kNotPermitted = 35,
  kAnotherSubscriber = 39,
};

// Domains of cuptiGetCallbackName.
enum Domain : uint32_t { kDriverDomain = 1, kRuntimeDomain = 2 };

inline constexpr uint32_t kForcedFlush = 1;

// What every record begins with.
struct Record {
  uint32_t kind;
};

struct KernelRecord {
  uint32_t kind;
  uint8_t cache, shared_config;
  uint16_t registers;
  uint32_t cache_requested, cache_executed;
  uint64_t start, end, completed;
  uint32_t device, context, stream;
  int32_t grid[3];
  int32_t block[3];
  int32_t static_shared, dynamic_shared;
  uint32_t local_per_thread, local_total;
  uint32_t correlation;
  int64_t grid_id;
  const char* name;  // Mangled; valid as long as the code is loaded.
  void* reserved;
  uint64_t queued, submitted;
  uint8_t launch_type, carveout_requested, carveout, padding;
  uint32_t shared_executed;
  uint64_t graph_node;
  uint32_t limit_config;
  uint32_t graph;
};

struct CopyRecord {
  uint32_t kind;
  uint8_t copy_kind, source, target, flags;
  uint64_t bytes;
  uint64_t start, end;
  uint32_t device, context, stream;
  uint32_t correlation, runtime_correlation;
  uint32_t padding;
  void* reserved;
  uint64_t graph_node;
  uint32_t graph;
};

// Between two devices.
struct PeerCopyRecord {
  uint32_t kind;
  uint8_t copy_kind, source, target, flags;
  uint64_t bytes;
  uint64_t start, end;
  uint32_t device, context, stream;
  uint32_t source_device, source_context, target_device, target_context;
  uint32_t correlation;
  void* reserved;
  uint64_t graph_node;
  uint32_t graph;
};

struct SetRecord {
  uint32_t kind;
  uint32_t value;
  uint64_t bytes;
  uint64_t start, end;
  uint32_t device, context, stream;
  uint32_t correlation;
  uint16_t flags, memory;
  uint32_t padding;
  void* reserved;
  uint64_t graph_node;
  uint32_t graph;
};

// A call of the runtime or the driver.
struct CallRecord {
  uint32_t kind;
  uint32_t function;
  uint64_t start, end;
  uint32_t process, thread;
  uint32_t correlation;
  uint32_t result;
};

struct WaitRecord {
  uint32_t kind;
  uint32_t type;
  uint64_t start, end;
  uint32_t correlation;
  uint32_t context, stream;
  uint32_t event;
};

static_assert(sizeof(void*) == 8);
static_assert(offsetof(KernelRecord, registers) == 6);
static_assert(offsetof(KernelRecord, start) == 16 && offsetof(KernelRecord, end) == 24);
static_assert(offsetof(KernelRecord, device) == 40 && offsetof(KernelRecord, stream) == 48);
static_assert(offsetof(KernelRecord, grid) == 52 && offsetof(KernelRecord, block) == 64);
static_assert(offsetof(KernelRecord, static_shared) == 76);
static_assert(offsetof(KernelRecord, correlation) == 92);
static_assert(offsetof(KernelRecord, name) == 104);
static_assert(offsetof(KernelRecord, graph_node) == 144 && offsetof(KernelRecord, graph) == 156);
static_assert(offsetof(CopyRecord, bytes) == 8 && offsetof(CopyRecord, device) == 32);
static_assert(offsetof(CopyRecord, correlation) == 44);
static_assert(offsetof(CopyRecord, graph_node) == 64 && offsetof(CopyRecord, graph) == 72);
static_assert(offsetof(PeerCopyRecord, correlation) == 60);
static_assert(offsetof(PeerCopyRecord, graph_node) == 72);
static_assert(offsetof(PeerCopyRecord, graph) == 80);
static_assert(offsetof(SetRecord, device) == 32 && offsetof(SetRecord, correlation) == 44);
static_assert(offsetof(SetRecord, graph_node) == 64 && offsetof(SetRecord, graph) == 72);
static_assert(offsetof(CallRecord, thread) == 28 && offsetof(CallRecord, correlation) == 32);
static_assert(offsetof(WaitRecord, correlation) == 24 && offsetof(WaitRecord, stream) == 32);

}  // namespace warden::capture::cupti

#endif  // WARDEN_CAPTURE_KERNELS_CUPTI_RECORDS_H_
