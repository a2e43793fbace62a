#include "warden/capture/kernels/activity_reader.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

namespace warden::capture {
namespace {

using cupti::CallRecord;
using cupti::CopyRecord;
using cupti::KernelRecord;
using cupti::PeerCopyRecord;
using cupti::SetRecord;
using cupti::WaitRecord;
using format::GpuEvent;
using format::GpuWork;

// A clock that is off by less is the machine's own.
constexpr int64_t kSameClockNs = 1'000'000;
constexpr size_t kLongestMangled = 4096;
// CUPTI's kind of memory.
constexpr uint8_t kPageableMemory = 1;

// Asked for again and again by frameworks, and answered without a GPU.
constexpr std::array<std::string_view, 18> kIdleCalls = {
    "cudaGetDevice",
    "cudaSetDevice",
    "cudaGetLastError",
    "cudaPeekAtLastError",
    "cudaDeviceGetAttribute",
    "cudaFuncGetAttributes",
    "cudaFuncSetAttribute",
    "cudaStreamIsCapturing",
    "cudaStreamGetCaptureInfo",
    "cudaThreadExchangeStreamCaptureMode",
    "cudaEventQuery",
    "cudaStreamQuery",
    "cudaEventCreate",
    "cudaEventCreateWithFlags",
    "cudaEventDestroy",
    "cudaPointerGetAttributes",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"};
// Of the driver only these: the runtime's calls are recorded themselves.
constexpr std::array<std::string_view, 4> kDriverCalls = {"cuLaunch", "cuGraphLaunch", "cuMemcpy",
                                                          "cuMemset"};

// A record that begins as `record` does.
template <class T>
const T& As(const cupti::Record& record) {
  return reinterpret_cast<const T&>(record);
}

uint32_t ToSize(int32_t value) { return static_cast<uint32_t>(std::max(value, 0)); }

// A copy with what both kinds of records say in the same places.
template <class T>
GpuEvent CopyEvent(const T& record) {
  GpuEvent event;
  event.work = GpuWork::kCopy;
  const auto kind = static_cast<format::CopyKind>(record.copy_kind);
  const bool from_host = kind == format::CopyKind::kHostToDevice;
  const bool to_host = kind == format::CopyKind::kDeviceToHost;
  const bool pageable = (from_host && record.source == kPageableMemory) ||
                        (to_host && record.target == kPageableMemory);
  event.copy = static_cast<uint8_t>((record.copy_kind & 0xF) | (pageable ? format::kPageable : 0));
  event.bytes = record.bytes;
  event.correlation = record.correlation;
  event.graph = record.graph;
  event.graph_node = record.graph_node;
  return event;
}

std::string_view WaitText(uint32_t type) {
  switch (type) {
    case 1: return "event synchronize";
    case 2: return "stream waits for event";
    case 3: return "stream synchronize";
    case 4: return "device synchronize";
    default: return "synchronize";
  }
}

}  // namespace

void ActivityClock::Begin(int64_t wall_ns, uint64_t cupti) {
  wall_ns_ = wall_ns;
  cupti_ = cupti;
  ns_of_tick_ = 1;
  const auto ahead = static_cast<int64_t>(cupti - static_cast<uint64_t>(wall_ns));
  same_ = ahead > -kSameClockNs && ahead < kSameClockNs;
}

void ActivityClock::Update(int64_t wall_ns, uint64_t cupti) {
  if (same_ || cupti <= cupti_ || wall_ns <= wall_ns_) return;
  ns_of_tick_ = static_cast<double>(wall_ns - wall_ns_) / static_cast<double>(cupti - cupti_);
}

int64_t ActivityClock::ToWall(uint64_t cupti) const {
  if (same_) return static_cast<int64_t>(cupti);
  const auto ticks = static_cast<int64_t>(cupti - cupti_);
  constexpr double kFar = 1e18;
  return wall_ns_ +
         static_cast<int64_t>(std::clamp(static_cast<double>(ticks) * ns_of_tick_, -kFar, kFar));
}

void ActivityReader::Read(uint8_t* buffer, size_t valid, const ActivityClock& clock,
                          int64_t earliest_ns, int64_t latest_ns) {
  const Span span{earliest_ns, latest_ns};
  cupti::Record* record = nullptr;
  while (library_->call().get_next_record(buffer, valid, &record) == cupti::kSuccess) {
    if (record == nullptr) return;
    Take(*record, clock, span);
  }
}

void ActivityReader::Restart() {
  kernels_.clear();
  calls_.clear();
  waits_.clear();
}

void ActivityReader::Take(const cupti::Record& record, const ActivityClock& clock,
                          const Span& span) {
  switch (record.kind) {
    case cupti::kKernelKind:
    case cupti::kSerialKernelKind: {
      const auto& kernel = As<KernelRecord>(record);
      format::KernelLaunch launch;
      launch.name = NameOfKernel(kernel.name);
      for (size_t i = 0; i < 3; ++i) {
        launch.grid[i] = ToSize(kernel.grid[i]);
        launch.block[i] = ToSize(kernel.block[i]);
      }
      launch.registers = kernel.registers;
      launch.static_shared = ToSize(kernel.static_shared);
      launch.dynamic_shared = ToSize(kernel.dynamic_shared);
      GpuEvent event;
      event.name = writer_->LaunchId(launch);
      event.lane = Lane(kernel.device, kernel.context, kernel.stream);
      event.correlation = kernel.correlation;
      event.graph = kernel.graph;
      event.graph_node = kernel.graph_node;
      Add(event, kernel.start, kernel.end, clock, span);
      return;
    }
    case cupti::kCopyKind: {
      const auto& copy = As<CopyRecord>(record);
      GpuEvent event = CopyEvent(copy);
      event.lane = Lane(copy.device, copy.context, copy.stream);
      Add(event, copy.start, copy.end, clock, span);
      return;
    }
    case cupti::kPeerCopyKind: {
      const auto& copy = As<PeerCopyRecord>(record);
      GpuEvent event = CopyEvent(copy);
      event.lane = Lane(copy.device, copy.context, copy.stream);
      Add(event, copy.start, copy.end, clock, span);
      return;
    }
    case cupti::kSetKind: {
      const auto& set = As<SetRecord>(record);
      GpuEvent event;
      event.work = GpuWork::kSet;
      event.bytes = set.bytes;
      event.lane = Lane(set.device, set.context, set.stream);
      event.correlation = set.correlation;
      event.graph = set.graph;
      event.graph_node = set.graph_node;
      Add(event, set.start, set.end, clock, span);
      return;
    }
    case cupti::kRuntimeKind:
    case cupti::kDriverKind: {
      const auto& call = As<CallRecord>(record);
      const bool runtime = record.kind == cupti::kRuntimeKind;
      const uint32_t name =
          NameOfCall(runtime ? cupti::kRuntimeDomain : cupti::kDriverDomain, call.function);
      if (name == kLeftOut) return;
      GpuEvent event;
      event.work = GpuWork::kCall;
      event.name = name;
      event.lane = writer_->LaneId({.thread = call.thread});
      event.correlation = call.correlation;
      Add(event, call.start, call.end, clock, span);
      return;
    }
    case cupti::kWaitKind: {
      const auto& wait = As<WaitRecord>(record);
      GpuEvent event;
      event.work = GpuWork::kWait;
      event.name = NameOfWait(wait.type);
      event.lane = Lane(0, wait.context, wait.stream);
      event.correlation = wait.correlation;
      Add(event, wait.start, wait.end, clock, span);
      return;
    }
    default: return;
  }
}

void ActivityReader::Add(GpuEvent event, uint64_t start, uint64_t end, const ActivityClock& clock,
                         const Span& span) {
  // CUPTI gives 0 where it has no time.
  const bool timed = start != 0 && end >= start;
  event.start_ns = clock.ToWall(start);
  event.duration_ns = clock.ToWall(end) - event.start_ns;
  if (!timed || event.start_ns < span.earliest_ns || event.start_ns > span.latest_ns) {
    ++untimed_;
    return;
  }
  writer_->Add(event);
  ++event_count_;
  if (event.work == GpuWork::kKernel) ++kernel_count_;
}

uint32_t ActivityReader::Lane(uint32_t device, uint32_t context, uint32_t stream) {
  return writer_->LaneId({.device = device, .context = context, .stream = stream});
}

uint32_t ActivityReader::NameOfKernel(const char* mangled) {
  if (mangled == nullptr) mangled = "unknown";
  const std::string_view text(mangled);
  if (const auto known = kernels_.find(text); known != kernels_.end()) return known->second;
  const uint32_t id = writer_->NameId(ReadableKernel(mangled));
  kernels_.emplace(text, id);
  return id;
}

uint32_t ActivityReader::NameOfCall(uint32_t domain, uint32_t function) {
  const auto [known, is_new] = calls_.try_emplace(uint64_t{domain} << 32 | function, kLeftOut);
  if (!is_new) return known->second;
  const char* text = nullptr;
  std::string name;
  if (library_->call().get_callback_name(domain, function, &text) == cupti::kSuccess &&
      text != nullptr) {
    name = ReadableCall(text);
  } else {
    name =
        fmt::format("{} call {}", domain == cupti::kRuntimeDomain ? "runtime" : "driver", function);
  }
  const bool wanted =
      domain == cupti::kRuntimeDomain
          ? !IsIdleCall(name)
          : std::any_of(kDriverCalls.begin(), kDriverCalls.end(),
                        [&](std::string_view call) { return name.starts_with(call); });
  if (wanted) known->second = writer_->NameId(name);
  return known->second;
}

uint32_t ActivityReader::NameOfWait(uint32_t type) {
  const auto [known, is_new] = waits_.try_emplace(type, 0);
  if (is_new) known->second = writer_->NameId(WaitText(type));
  return known->second;
}

std::string ReadableKernel(const char* mangled) {
  const std::string_view text(mangled);
  if (!text.starts_with("_Z") || text.size() > kLongestMangled) return std::string(text);
  int result = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &result), &std::free);
  return result == 0 && name != nullptr ? std::string(name.get()) : std::string(text);
}

std::string_view ReadableCall(std::string_view name) {
  const auto cut = [&](std::string_view mark) {
    const size_t at = name.rfind(mark);
    if (at == std::string_view::npos || at == 0) return;
    const std::string_view rest = name.substr(at + mark.size());
    if (rest.find_first_not_of("0123456789") == std::string_view::npos) name = name.substr(0, at);
  };
  cut("_v");
  cut("_ptsz");
  cut("_ptds");
  cut("_v");
  return name;
}

bool IsIdleCall(std::string_view name) {
  return std::find(kIdleCalls.begin(), kIdleCalls.end(), name) != kIdleCalls.end();
}

}  // namespace warden::capture
