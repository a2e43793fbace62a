#include "warden/monitor/nvml.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warden::monitor {

// What is needed of the library's C interface, as its documentation has it. Its structs are not in
// the unnamed namespace because Nvml::Functions, which is known outside, has them in its members.
struct NvmlUtilization {
  unsigned gpu;
  unsigned memory;
};
struct NvmlMemory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};
union NvmlValue {
  double as_double;
  unsigned as_unsigned;
  unsigned long as_long;
  unsigned long long as_long_long;
  long long as_signed;
};
struct NvmlFieldValue {
  unsigned field;
  unsigned scope;
  long long timestamp;
  long long latency_us;
  int type;
  int result;
  NvmlValue value;
};

struct NvmlProcess {
  unsigned pid;
  unsigned long long memory;
  unsigned instance;
  unsigned compute_instance;
};
struct NvmlEvent {
  void* device;
  unsigned long long type;
  unsigned long long data;
  unsigned instance;
  unsigned compute_instance;
};
struct NvmlSample {
  unsigned long long timestamp;
  NvmlValue value;
};

namespace {

using Return = int;
constexpr Return kSuccess = 0;
constexpr Return kNoneFound = 6;
using DeviceHandle = void*;

enum ValueType { kUnsigned = 1, kUnsignedLong = 2, kUnsignedLongLong = 3, kSignedLongLong = 4 };
enum Field : unsigned {
  kNvlinkSentKib = 138,
  kNvlinkReceivedKib = 139,
  kPcieSentBytes = 197,
  kPcieReceivedBytes = 198,
};
constexpr unsigned kAllLinks = ~0U;
constexpr int kTemperatureOfChip = 0;
enum NvmlClock { kClockOfMultiprocessors = 1, kClockOfMemory = 2 };
enum PcieCounter { kPcieSent = 0, kPcieReceived = 1 };
enum EccKind { kCorrectedErrors = 0, kUncorrectedErrors = 1 };
constexpr int kSinceDriverLoaded = 0;
constexpr int kUtilizationSamples = 1;
constexpr unsigned long long kXidEvents = 8;
constexpr unsigned long long kMemoryUnknown = ~0ULL;
constexpr unsigned kMostGpus = 256;
constexpr unsigned kMostXids = 64;
constexpr unsigned kMostGpuProcesses = 64;
constexpr unsigned kMostSamples = 1024;
constexpr size_t kNameSize = 96;
constexpr uint64_t kKiB = 1024;

std::optional<uint64_t> Count(const NvmlFieldValue& value, uint64_t unit) {
  if (value.result != kSuccess) return std::nullopt;
  switch (value.type) {
    case kUnsigned: return value.value.as_unsigned * unit;
    case kUnsignedLong: return value.value.as_long * unit;
    case kUnsignedLongLong: return value.value.as_long_long * unit;
    case kSignedLongLong:
      if (value.value.as_signed < 0) return std::nullopt;
      return static_cast<uint64_t>(value.value.as_signed) * unit;
    default: return std::nullopt;
  }
}

}  // namespace

// Null where the library is older than the function.
struct Nvml::Functions {
  Return (*init)() = nullptr;
  Return (*shutdown)() = nullptr;
  Return (*count)(unsigned*) = nullptr;
  Return (*handle)(unsigned, DeviceHandle*) = nullptr;
  Return (*utilization)(DeviceHandle, NvmlUtilization*) = nullptr;
  Return (*memory)(DeviceHandle, NvmlMemory*) = nullptr;
  Return (*power)(DeviceHandle, unsigned*) = nullptr;
  Return (*power_limit)(DeviceHandle, unsigned*) = nullptr;
  Return (*temperature)(DeviceHandle, int, unsigned*) = nullptr;
  Return (*clock)(DeviceHandle, int, unsigned*) = nullptr;
  Return (*throttle)(DeviceHandle, unsigned long long*) = nullptr;
  Return (*pcie)(DeviceHandle, int, unsigned*) = nullptr;
  Return (*fields)(DeviceHandle, int, NvmlFieldValue*) = nullptr;
  Return (*uuid)(DeviceHandle, char*, unsigned) = nullptr;
  Return (*model)(DeviceHandle, char*, unsigned) = nullptr;
  Return (*errors)(DeviceHandle, int, int, unsigned long long*) = nullptr;
  Return (*processes)(DeviceHandle, unsigned*, NvmlProcess*) = nullptr;
  Return (*samples)(DeviceHandle, int, unsigned long long, int*, unsigned*, NvmlSample*) = nullptr;
  Return (*make_events)(void**) = nullptr;
  Return (*free_events)(void*) = nullptr;
  Return (*listen)(DeviceHandle, unsigned long long, void*) = nullptr;
  Return (*wait)(void*, NvmlEvent*, unsigned) = nullptr;

  void Find(void* library) {
    const auto find = [library](const char* name, auto* function) {
      *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(dlsym(library, name));
    };
    find("nvmlInit_v2", &init);
    find("nvmlShutdown", &shutdown);
    find("nvmlDeviceGetCount_v2", &count);
    find("nvmlDeviceGetHandleByIndex_v2", &handle);
    find("nvmlDeviceGetUtilizationRates", &utilization);
    find("nvmlDeviceGetMemoryInfo", &memory);
    find("nvmlDeviceGetPowerUsage", &power);
    find("nvmlDeviceGetEnforcedPowerLimit", &power_limit);
    find("nvmlDeviceGetTemperature", &temperature);
    find("nvmlDeviceGetClockInfo", &clock);
    find("nvmlDeviceGetCurrentClocksEventReasons", &throttle);
    if (throttle == nullptr) find("nvmlDeviceGetCurrentClocksThrottleReasons", &throttle);
    find("nvmlDeviceGetPcieThroughput", &pcie);
    find("nvmlDeviceGetFieldValues", &fields);
    find("nvmlDeviceGetUUID", &uuid);
    find("nvmlDeviceGetName", &model);
    find("nvmlDeviceGetTotalEccErrors", &errors);
    // The versions before these have a smaller struct.
    find("nvmlDeviceGetComputeRunningProcesses_v3", &processes);
    if (processes == nullptr) find("nvmlDeviceGetComputeRunningProcesses_v2", &processes);
    find("nvmlDeviceGetSamples", &samples);
    find("nvmlEventSetCreate", &make_events);
    find("nvmlEventSetFree", &free_events);
    find("nvmlDeviceRegisterEvents", &listen);
    find("nvmlEventSetWait_v2", &wait);
  }
};

Nvml::Nvml(void* library, std::unique_ptr<Functions> functions)
    : library_(library), functions_(std::move(functions)) {}

Nvml::~Nvml() {
  if (xids_ != nullptr) functions_->free_events(xids_);
  if (initialized_ && functions_->shutdown != nullptr) functions_->shutdown();
  dlclose(library_);
}

Result<std::unique_ptr<Nvml>> Nvml::Open(const std::string& library) {
  void* opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    return Status(Code::kNotFound, fmt::format("cannot load {}", library));
  }
  auto functions = std::make_unique<Functions>();
  functions->Find(opened);
  std::unique_ptr<Nvml> nvml(new Nvml(opened, std::move(functions)));
  const Status status = nvml->Initialize();
  if (!status.ok()) return status.WithContext(library);
  return nvml;
}

Status Nvml::Initialize() {
  const Functions& f = *functions_;
  if (f.init == nullptr || f.count == nullptr || f.handle == nullptr) {
    return Status(Code::kCorrupt, "the library does not export the NVML functions");
  }
  const Return result = f.init();
  if (result != kSuccess) {
    return Status(Code::kUnavailable, fmt::format("NVML initialization failed (error {})", result));
  }
  initialized_ = true;
  if (f.count(&count_) != kSuccess) count_ = 0;
  count_ = std::min(count_, kMostGpus);
  return Status();
}

void* Nvml::Device(unsigned gpu) const {
  // Asked for again: a GPU that fell off the bus gives an error here, not a stale handle.
  DeviceHandle device = nullptr;
  return functions_->handle(gpu, &device) == kSuccess ? device : nullptr;
}

GpuState Nvml::State(unsigned gpu) const {
  const Functions& f = *functions_;
  GpuState state;
  const DeviceHandle device = Device(gpu);
  if (device == nullptr) return state;
  if (NvmlUtilization busy{};
      f.utilization != nullptr && f.utilization(device, &busy) == kSuccess) {
    state.busy_percent = busy.gpu;
    state.memory_busy_percent = busy.memory;
  }
  if (NvmlMemory memory{}; f.memory != nullptr && f.memory(device, &memory) == kSuccess) {
    state.memory_used = static_cast<double>(memory.used);
    state.memory_total = static_cast<double>(memory.total);
  }
  unsigned number = 0;
  if (f.power != nullptr && f.power(device, &number) == kSuccess) state.power_w = number / 1000.0;
  if (f.power_limit != nullptr && f.power_limit(device, &number) == kSuccess) {
    state.power_limit_w = number / 1000.0;
  }
  if (f.temperature != nullptr && f.temperature(device, kTemperatureOfChip, &number) == kSuccess) {
    state.temperature_c = number;
  }
  if (f.clock != nullptr && f.clock(device, kClockOfMultiprocessors, &number) == kSuccess) {
    state.clock_mhz = number;
  }
  if (f.clock != nullptr && f.clock(device, kClockOfMemory, &number) == kSuccess) {
    state.memory_clock_mhz = number;
  }
  unsigned long long reasons = 0;
  if (f.throttle != nullptr && f.throttle(device, &reasons) == kSuccess) {
    state.throttle_reasons = static_cast<double>(reasons);
  }
  return state;
}

GpuTraffic Nvml::Traffic(unsigned gpu) const {
  GpuTraffic traffic;
  const DeviceHandle device = Device(gpu);
  if (device == nullptr || functions_->fields == nullptr) return traffic;
  std::array<NvmlFieldValue, 4> values{};
  values[0].field = kPcieReceivedBytes;
  values[1].field = kPcieSentBytes;
  values[2].field = kNvlinkReceivedKib;
  values[3].field = kNvlinkSentKib;
  values[2].scope = values[3].scope = kAllLinks;
  for (NvmlFieldValue& value : values) value.result = -1;
  if (functions_->fields(device, static_cast<int>(values.size()), values.data()) != kSuccess) {
    return traffic;
  }
  traffic.pcie_received = Count(values[0], 1);
  traffic.pcie_sent = Count(values[1], 1);
  traffic.nvlink_received = Count(values[2], kKiB);
  traffic.nvlink_sent = Count(values[3], kKiB);
  return traffic;
}

PcieRates Nvml::MeasurePcie(unsigned gpu) const {
  PcieRates rates;
  const DeviceHandle device = Device(gpu);
  if (device == nullptr || functions_->pcie == nullptr) return rates;
  unsigned kib = 0;
  if (functions_->pcie(device, kPcieReceived, &kib) == kSuccess) rates.received = kib * 1024.0;
  if (functions_->pcie(device, kPcieSent, &kib) == kSuccess) rates.sent = kib * 1024.0;
  return rates;
}

std::vector<GpuIdentity> Nvml::Identities() const {
  const Functions& f = *functions_;
  std::vector<GpuIdentity> all(count_);
  for (unsigned gpu = 0; gpu < count_; ++gpu) {
    const DeviceHandle device = Device(gpu);
    if (device == nullptr) continue;
    all[gpu].opens = true;
    std::array<char, kNameSize> text{};
    constexpr auto kLength = static_cast<unsigned>(kNameSize - 1);
    if (f.uuid != nullptr && f.uuid(device, text.data(), kLength) == kSuccess) {
      all[gpu].uuid = text.data();
    }
    text = {};
    if (f.model != nullptr && f.model(device, text.data(), kLength) == kSuccess) {
      all[gpu].model = text.data();
    }
  }
  return all;
}

GpuErrorCounts Nvml::Errors(unsigned gpu) const {
  GpuErrorCounts counts;
  const DeviceHandle device = Device(gpu);
  if (device == nullptr || functions_->errors == nullptr) return counts;
  unsigned long long count = 0;
  if (functions_->errors(device, kCorrectedErrors, kSinceDriverLoaded, &count) == kSuccess) {
    counts.corrected = count;
  }
  if (functions_->errors(device, kUncorrectedErrors, kSinceDriverLoaded, &count) == kSuccess) {
    counts.uncorrected = count;
  }
  return counts;
}

std::vector<GpuProcess> Nvml::Processes(unsigned gpu) const {
  std::vector<GpuProcess> processes;
  const DeviceHandle device = Device(gpu);
  if (device == nullptr || functions_->processes == nullptr) return processes;
  std::array<NvmlProcess, kMostGpuProcesses> found{};
  unsigned count = kMostGpuProcesses;
  if (functions_->processes(device, &count, found.data()) != kSuccess) return processes;
  for (unsigned i = 0; i < std::min(count, kMostGpuProcesses); ++i) {
    if (found[i].memory != kMemoryUnknown) processes.push_back({found[i].pid, found[i].memory});
  }
  return processes;
}

std::optional<GpuUpdates> Nvml::UpdatesSince(unsigned gpu, uint64_t last_us) const {
  const DeviceHandle device = Device(gpu);
  if (device == nullptr || functions_->samples == nullptr) return std::nullopt;
  std::array<NvmlSample, kMostSamples> samples{};
  unsigned count = kMostSamples;
  int type = 0;
  const Return result =
      functions_->samples(device, kUtilizationSamples, last_us, &type, &count, samples.data());
  GpuUpdates updates;
  if (result == kNoneFound) return updates;
  if (result != kSuccess) return std::nullopt;
  for (unsigned i = 0; i < std::min(count, kMostSamples); ++i) {
    const uint64_t time = samples[i].timestamp;
    if (time <= last_us) continue;
    updates.oldest_us = updates.count == 0 ? time : std::min(updates.oldest_us, time);
    updates.newest_us = std::max(updates.newest_us, time);
    ++updates.count;
  }
  return updates;
}

void Nvml::ListenForXids(const std::vector<unsigned>& gpus) {
  const Functions& f = *functions_;
  const bool can = f.make_events != nullptr && f.free_events != nullptr && f.listen != nullptr &&
                   f.wait != nullptr;
  if (!can || xids_ != nullptr || f.make_events(&xids_) != kSuccess) return;
  for (const unsigned gpu : gpus) {
    const DeviceHandle device = Device(gpu);
    if (device == nullptr || f.listen(device, kXidEvents, xids_) != kSuccess) continue;
    listening_[device] = gpu;
  }
  if (!listening_.empty()) return;
  f.free_events(xids_);
  xids_ = nullptr;
}

std::vector<XidError> Nvml::TakeXids() {
  std::vector<XidError> errors;
  while (xids_ != nullptr && errors.size() < kMostXids) {
    NvmlEvent event{};
    if (functions_->wait(xids_, &event, /*timeout_ms=*/0) != kSuccess) break;
    const auto gpu = listening_.find(event.device);
    if (gpu != listening_.end() && event.type == kXidEvents) {
      errors.push_back({gpu->second, event.data});
    }
  }
  return errors;
}

}  // namespace warden::monitor
