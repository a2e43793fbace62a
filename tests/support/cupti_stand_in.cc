// A library with the functions of CUPTI that KernelRecorder uses, for machines without a GPU. It
// gives out records as CUPTI does: in memory that it asks for, longer than what is read of them,
// and from a thread of the caller's. Tests load it by its path and steer it with StandIn* below, or
// with CUPTI_STAND_IN="version=130001 enable=15 subscribe=39 kernels=100".
//
// kernels=N: when kernels are turned off, N of them have run since they were turned on, each with
// its launch, and a copy for every tenth.

#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "warden/capture/kernels/cupti_records.h"

namespace {

using namespace warden::capture::cupti;  // NOLINT: what this file implements

using RequestBuffer = void (*)(uint8_t**, size_t*, size_t*);
using CompleteBuffer = void (*)(void*, uint32_t, uint8_t*, size_t, size_t);

// As long as the records of CUDA 13.0.
size_t LengthOf(uint32_t kind) {
  switch (kind) {
    case kKernelKind: return 216;
    case kCopyKind: return 96;
    case kPeerCopyKind: return 96;
    case kSetKind: return 88;
    case kRuntimeKind:
    case kDriverKind: return 40;
    case kWaitKind: return 56;
    default: return 0;
  }
}

struct Library {
  std::mutex mutex;
  std::map<std::string, long> settings{{"version", 130001}};
  std::set<uint32_t> enabled;
  uint64_t enabled_ns = 0;
  RequestBuffer request = nullptr;
  CompleteBuffer complete = nullptr;
  uint8_t* buffer = nullptr;
  size_t size = 0;
  size_t used = 0;
  size_t dropped = 0;
  uint32_t correlation = 0;
  bool subscribed = false;

  Library() {
    const char* text = std::getenv("CUPTI_STAND_IN");
    for (std::string rest = text != nullptr ? text : ""; !rest.empty();) {
      const std::string word = rest.substr(0, rest.find(' '));
      rest.erase(0, word.size() + 1);
      const size_t equals = word.find('=');
      if (equals == std::string::npos) continue;
      settings[word.substr(0, equals)] = std::strtol(word.c_str() + equals + 1, nullptr, 10);
    }
  }
  int Result(const char* name) { return static_cast<int>(settings[name]); }
};

Library& TheLibrary() {
  static auto* const library = new Library();
  return *library;
}

uint64_t NowNs() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

void GiveBack(Library* library) {
  if (library->buffer == nullptr) return;
  uint8_t* const buffer = std::exchange(library->buffer, nullptr);
  library->complete(nullptr, 0, buffer, library->size, library->used);
}

// A record of that kind, of zeros; null if it was dropped.
template <class T>
T* NewRecord(Library* library, uint32_t kind) {
  const size_t length = LengthOf(kind);
  if (library->enabled.count(kind) == 0) return nullptr;
  if (library->buffer != nullptr && library->used + length > library->size) GiveBack(library);
  if (library->buffer == nullptr) {
    size_t most = 0;
    library->request(&library->buffer, &library->size, &most);
    library->used = 0;
  }
  if (library->buffer == nullptr) {
    ++library->dropped;
    return nullptr;
  }
  uint8_t* const at = library->buffer + library->used;
  std::memset(at, 0, length);
  library->used += length;
  auto* const record = reinterpret_cast<T*>(at);
  record->kind = kind;
  return record;
}

void EmitLaunch(Library* library, uint64_t start, uint64_t end, uint32_t correlation) {
  if (auto* call = NewRecord<CallRecord>(library, kRuntimeKind)) {
    call->function = 211;
    call->start = start;
    call->end = end;
    call->thread = 4711;
    call->correlation = correlation;
  }
}

void EmitKernel(Library* library, const char* name, uint64_t start, uint64_t end) {
  const uint32_t correlation = ++library->correlation;
  EmitLaunch(library, start - 5000, start - 2000, correlation);
  if (auto* kernel = NewRecord<KernelRecord>(library, kKernelKind)) {
    kernel->name = name;
    kernel->start = start;
    kernel->end = end;
    kernel->device = 0;
    kernel->context = 1;
    kernel->stream = 7;
    kernel->grid[0] = 132;
    kernel->grid[1] = kernel->grid[2] = 1;
    kernel->block[0] = 256;
    kernel->block[1] = kernel->block[2] = 1;
    kernel->registers = 168;
    kernel->static_shared = 1024;
    kernel->dynamic_shared = 65536;
    kernel->correlation = correlation;
  }
}

void EmitCopy(Library* library, uint64_t bytes, uint64_t start, uint64_t end) {
  const uint32_t correlation = ++library->correlation;
  EmitLaunch(library, start - 5000, start - 2000, correlation);
  if (auto* copy = NewRecord<CopyRecord>(library, kCopyKind)) {
    copy->copy_kind = 1;
    copy->source = 1;
    copy->target = 3;
    copy->bytes = bytes;
    copy->start = start;
    copy->end = end;
    copy->context = 1;
    copy->stream = 7;
    copy->correlation = correlation;
  }
}

// What settings ask for, from when kernels were turned on until now.
void EmitWindow(Library* library) {
  const long kernels = library->settings["kernels"];
  if (kernels <= 0) return;
  const uint64_t now = NowNs();
  const uint64_t each =
      std::max<uint64_t>((now - library->enabled_ns) / static_cast<uint64_t>(kernels + 1), 10);
  static const char* const kNames[] = {"_Z4gemmIfEvPT_S1_i", "ampere_bf16_s16816gemm_bf16_128x64",
                                       "triton_poi_fused_add_0"};
  for (long i = 0; i < kernels; ++i) {
    const uint64_t start = library->enabled_ns + each * static_cast<uint64_t>(i);
    EmitKernel(library, kNames[i % 3], start, start + each * 8 / 10);
    if (i % 10 == 9) EmitCopy(library, 1 << 20, start, start + each / 10);
  }
}

}  // namespace

extern "C" {

int cuptiGetVersion(uint32_t* version) {
  *version = static_cast<uint32_t>(TheLibrary().settings["version"]);
  return kSuccess;
}

int cuptiActivityRegisterCallbacks(RequestBuffer request, CompleteBuffer complete) {
  Library& library = TheLibrary();
  const std::lock_guard lock(library.mutex);
  library.request = request;
  library.complete = complete;
  return kSuccess;
}

int cuptiActivityEnable(uint32_t kind) {
  Library& library = TheLibrary();
  const std::lock_guard lock(library.mutex);
  if (const int result = library.Result("enable"); result != 0) return result;
  if (LengthOf(kind) == 0) return kBrokenRecord;
  if (kind == kKernelKind) library.enabled_ns = NowNs();
  library.enabled.insert(kind);
  return kSuccess;
}

int cuptiActivityDisable(uint32_t kind) {
  Library& library = TheLibrary();
  const std::lock_guard lock(library.mutex);
  // The last of them is turned off first, and all are of the window.
  if (library.enabled.size() == 7) EmitWindow(&library);
  library.enabled.erase(kind);
  return kSuccess;
}

int cuptiActivityFlushAll(uint32_t) {
  Library& library = TheLibrary();
  const std::lock_guard lock(library.mutex);
  GiveBack(&library);
  return kSuccess;
}

int cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid, Record** record) {
  size_t at = 0;
  if (*record != nullptr) {
    at = static_cast<size_t>(reinterpret_cast<uint8_t*>(*record) - buffer) +
         LengthOf((*record)->kind);
  }
  if (at >= valid) return kNoMoreRecords;
  auto* const next = reinterpret_cast<Record*>(buffer + at);
  if (LengthOf(next->kind) == 0) return kBrokenRecord;
  *record = next;
  return kSuccess;
}

int cuptiActivityGetNumDroppedRecords(void*, uint32_t, size_t* dropped) {
  Library& library = TheLibrary();
  const std::lock_guard lock(library.mutex);
  *dropped = std::exchange(library.dropped, 0);
  return kSuccess;
}

int cuptiGetTimestamp(uint64_t* now) {
  *now = NowNs() + static_cast<uint64_t>(TheLibrary().settings["ahead_ns"]);
  return kSuccess;
}

int cuptiGetCallbackName(uint32_t domain, uint32_t function, const char** name) {
  if (domain == kRuntimeDomain && function == 211) {
    *name = "cudaLaunchKernel_v7000";
  } else if (domain == kRuntimeDomain && function == 17) {
    *name = "cudaGetDevice_v3020";
  } else if (domain == kDriverDomain && function == 307) {
    *name = "cuLaunchKernel";
  } else {
    return 1;
  }
  return kSuccess;
}

int cuptiGetResultString(int result, const char** text) {
  *text = result == kAnotherSubscriber ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
                                       : "CUPTI_ERROR_NOT_INITIALIZED";
  return kSuccess;
}

int cuptiSubscribe(void** subscriber, void (*)(void*, int, uint32_t, const void*), void*) {
  Library& library = TheLibrary();
  if (const int result = library.Result("subscribe"); result != 0) return result;
  if (std::exchange(library.subscribed, true)) return kAnotherSubscriber;
  *subscriber = &library;
  return kSuccess;
}

int cuptiUnsubscribe(void*) {
  TheLibrary().subscribed = false;
  return kSuccess;
}

// ---- For tests.

void StandInSet(const char* name, long value) { TheLibrary().settings[name] = value; }

// One kernel of the given name and times, in nanoseconds since 1970, with its launch.
void StandInKernel(const char* name, uint64_t start, uint64_t end) {
  Library& library = TheLibrary();
  const std::lock_guard lock(library.mutex);
  EmitKernel(&library, name, start, end);
}

// A copy of pageable memory to the device.
void StandInCopy(uint64_t bytes, uint64_t start, uint64_t end) {
  Library& library = TheLibrary();
  const std::lock_guard lock(library.mutex);
  EmitCopy(&library, bytes, start, end);
}

// How many kinds of records are turned on.
size_t StandInEnabled() {
  Library& library = TheLibrary();
  const std::lock_guard lock(library.mutex);
  return library.enabled.size();
}

}  // extern "C"
