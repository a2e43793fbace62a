#include "warden/timeline/kernels/kernel_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "warden/timeline/kernels/activity_files.h"
#include "warden/timeline/kernels/device_activity.h"
#include "warden/timeline/kernels/duration_histogram.h"
#include "warden/timeline/kernels/kernel_stream.h"

namespace warden::timeline {
namespace {

using format::GpuEvent;
using format::GpuWork;

constexpr DeviceActivity::What kCopies = 1U << 30;
constexpr DeviceActivity::What kFills = kCopies + 256;
constexpr std::string_view kFillName = "fill";

// When calls were made, by correlation: the newest of each process, in a fixed place for each.
class RecentCalls {
 public:
  void Put(uint32_t correlation, int64_t start_ns) {
    if (correlation != 0) calls_[correlation % kMost] = {correlation, start_ns};
  }
  // 0: not known.
  int64_t StartOf(uint32_t correlation) const {
    const auto& [known, start_ns] = calls_[correlation % kMost];
    return known == correlation && correlation != 0 ? start_ns : 0;
  }

 private:
  static constexpr size_t kMost = size_t{1} << 16;

  std::vector<std::pair<uint32_t, int64_t>> calls_ =
      std::vector<std::pair<uint32_t, int64_t>>(kMost);
};

// One process, whose work may be in several files.
struct Process {
  std::vector<format::KernelWindow> windows;
  RecentCalls calls;
  struct Device {
    DeviceRow row;
    std::unique_ptr<DeviceActivity> activity;
  };
  std::map<uint32_t, Device> devices;
};

// The parts of windows that are in the range.
std::vector<format::KernelWindow> WindowsIn(const std::vector<format::KernelWindow>& windows,
                                            int64_t from_ns, int64_t to_ns) {
  std::vector<format::KernelWindow> inside;
  for (format::KernelWindow window : windows) {
    window.start_ns = std::max(window.start_ns, from_ns);
    window.end_ns = std::min(window.end_ns, to_ns);
    if (window.start_ns < window.end_ns) inside.push_back(window);
  }
  return inside;
}

int64_t ToNs(int64_t us) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 1000;
  return std::clamp(us, -kMost, kMost) * 1000;
}

class KernelSummary {
 public:
  KernelSummary(std::vector<ActivityFile> files, const TimeRange& range)
      : stream_(std::move(files)), from_ns_(ToNs(range.start_us)), to_ns_(ToNs(range.end_us)) {}

  KernelStatistics Run() {
    Prepare();
    for (; !stream_.done(); stream_.Next()) {
      const GpuEvent& event = stream_.event();
      if (event.start_ns < from_ns_ || event.start_ns > to_ns_) continue;
      Take(event, stream_.source_index());
    }
    Finish();
    return std::move(result_);
  }

 private:
  void Prepare() {
    const auto& sources = stream_.sources();
    launches_.resize(sources.size());
    calls_.resize(sources.size());
    waits_.resize(sources.size());
    process_of_.resize(sources.size());
    for (size_t i = 0; i < sources.size(); ++i) {
      Process& process = processes_[sources[i].file.node];
      process_of_[i] = &process;
      for (const auto& window : WindowsIn(sources[i].windows, from_ns_, to_ns_)) {
        process.windows.push_back(window);
        result_.dropped += window.dropped;
      }
      result_.bytes += sources[i].bytes;
      for (const format::StepMark& step : sources[i].steps) {
        if (step.start_ns >= from_ns_ && step.start_ns <= to_ns_) ++result_.steps;
      }
      launches_[i].assign(sources[i].dictionary.launches.size(), kNoRow);
      calls_[i].assign(sources[i].dictionary.names.size(), kNoRow);
      waits_[i].assign(sources[i].dictionary.names.size(), kNoRow);
    }
    for (auto& [node, process] : processes_) {
      std::sort(process.windows.begin(), process.windows.end(),
                [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
      result_.windows += process.windows.size();
    }
  }

  void Take(const GpuEvent& event, size_t source) {
    ++result_.events;
    last_ns_ = std::max(last_ns_, event.end_ns());
    Process& process = *process_of_[source];
    switch (event.work) {
      case GpuWork::kKernel: return TakeKernel(event, source, &process);
      case GpuWork::kCopy: {
        CopyRow& row = copies_[event.copy];
        Count(event, &row);
        return Occupy(event, source, kCopies + event.copy, &process);
      }
      case GpuWork::kSet: Count(event, &fills_); return Occupy(event, source, kFills, &process);
      case GpuWork::kCall:
        process.calls.Put(event.correlation, event.start_ns);
        return CountCall(event, source, &calls_[source], &call_ids_, &result_.calls);
      case GpuWork::kWait:
        return CountCall(event, source, &waits_[source], &wait_ids_, &result_.waits);
    }
  }

  static void Count(const GpuEvent& event, CopyRow* row) {
    ++row->count;
    row->bytes += event.bytes;
    row->total_ns += event.duration_ns;
  }

  void TakeKernel(const GpuEvent& event, size_t source, Process* process) {
    uint32_t& id = launches_[source][event.name];
    const format::KernelDictionary& dictionary = stream_.sources()[source].dictionary;
    const format::KernelLaunch& launch = dictionary.launches[event.name];
    if (id == kNoRow) id = KernelOf(dictionary.names[launch.name]);
    KernelRow& row = result_.kernels[id];
    if (row.count == 0 || event.duration_ns < row.min_ns) row.min_ns = event.duration_ns;
    if (row.count == 0 || event.duration_ns > row.max_ns) {
      row.max_ns = event.duration_ns;
      row.launch = launch;
    }
    ++row.count;
    row.total_ns += event.duration_ns;
    if (event.graph_node != 0) ++row.in_graphs;
    if (event.duration_ns < kShortKernelNs) Count(event, &result_.short_kernels);
    if (const int64_t asked_ns = process->calls.StartOf(event.correlation);
        asked_ns != 0 && event.graph_node == 0) {
      delays_.Add(event.start_ns - asked_ns);
    }
    Process::Device& device = DeviceOf(event, source, process);
    device.row.kernel_ns += event.duration_ns;
    if (row.traits.kind == KernelKind::kCommunication) {
      device.row.communication_ns += event.duration_ns;
    }
    Occupy(event, source, id, process);
  }

  static void Count(const GpuEvent& event, KernelShare* share) {
    ++share->count;
    share->total_ns += event.duration_ns;
  }

  uint32_t KernelOf(const std::string& name) {
    const auto [known, is_new] =
        kernel_ids_.try_emplace(name, static_cast<uint32_t>(result_.kernels.size()));
    if (is_new) {
      KernelRow& row = result_.kernels.emplace_back();
      row.name = name;
      row.traits = GuessKernel(name);
    }
    return known->second;
  }

  using Ids = std::unordered_map<std::string, uint32_t>;

  void CountCall(const GpuEvent& event, size_t source, std::vector<uint32_t>* rows, Ids* ids,
                 std::vector<CallRow>* calls) {
    uint32_t& id = (*rows)[event.name];
    if (id == kNoRow) {
      const std::string& name = stream_.sources()[source].dictionary.names[event.name];
      const auto [known, is_new] = ids->try_emplace(name, static_cast<uint32_t>(calls->size()));
      if (is_new) calls->emplace_back().name = name;
      id = known->second;
    }
    CallRow& row = (*calls)[id];
    ++row.count;
    row.total_ns += event.duration_ns;
    row.max_ns = std::max(row.max_ns, event.duration_ns);
  }

  Process::Device& DeviceOf(const GpuEvent& event, size_t source, Process* process) {
    const uint32_t number = stream_.sources()[source].dictionary.lanes[event.lane].device;
    const auto [known, is_new] = process->devices.try_emplace(number);
    if (is_new) {
      known->second.row.node = stream_.sources()[source].file.node;
      known->second.row.device = number;
      known->second.activity = std::make_unique<DeviceActivity>(process->windows, kGapsOfDevice);
    }
    return known->second;
  }

  void Occupy(const GpuEvent& event, size_t source, DeviceActivity::What what, Process* process) {
    Process::Device& device = DeviceOf(event, source, process);
    if (what >= kCopies) device.row.copy_ns += event.duration_ns;
    device.activity->Add(event.start_ns, event.end_ns(), process->calls.StartOf(event.correlation),
                         what);
  }

  std::string NameOf(DeviceActivity::What what) const {
    if (what == DeviceActivity::kNothing) return "";
    if (what == kFills) return std::string(kFillName);
    if (what >= kCopies) return format::CopyName(static_cast<uint8_t>(what - kCopies));
    return result_.kernels[what].name;
  }

  void Finish() {
    int64_t first_ns = std::numeric_limits<int64_t>::max();
    for (auto& [node, process] : processes_) {
      for (const format::KernelWindow& window : process.windows) {
        first_ns = std::min(first_ns, window.start_ns);
        result_.end_ns = std::max(result_.end_ns, EndOfWindow(window, last_ns_));
      }
      for (auto& [number, device] : process.devices) FinishDevice(&device);
    }
    if (result_.windows > 0) result_.start_ns = first_ns;
    std::sort(result_.gaps.begin(), result_.gaps.end(),
              [](const IdleGap& a, const IdleGap& b) { return a.duration_ns > b.duration_ns; });
    for (const KernelRow& row : result_.kernels) {
      result_.launches += row.count;
      result_.kernel_ns += row.total_ns;
      AddRow(row, &result_.kinds[static_cast<size_t>(row.traits.kind)]);
      AddRow(row, &result_.precisions[static_cast<size_t>(row.traits.precision)]);
      if (row.traits.tensor_cores) AddRow(row, &result_.tensor_cores);
    }
    for (auto& [copy, row] : copies_) {
      row.name = format::CopyName(copy);
      result_.copies.push_back(std::move(row));
    }
    if (fills_.count > 0) {
      fills_.name = kFillName;
      result_.copies.push_back(std::move(fills_));
    }
    const auto longest_first = [](auto* rows) {
      std::sort(rows->begin(), rows->end(), [](const auto& a, const auto& b) {
        return std::tie(b.total_ns, a.name) < std::tie(a.total_ns, b.name);
      });
    };
    longest_first(&result_.kernels);
    longest_first(&result_.copies);
    longest_first(&result_.calls);
    longest_first(&result_.waits);
    result_.delays = {delays_.count(), delays_.mean_ns(), delays_.Quantile(0.5),
                      delays_.Quantile(0.95), delays_.max_ns()};
    result_.problems = stream_.problems();
  }

  static void AddRow(const KernelRow& row, KernelShare* share) {
    share->count += row.count;
    share->total_ns += row.total_ns;
  }

  void FinishDevice(Process::Device* device) {
    DeviceActivity& activity = *device->activity;
    activity.Finish(last_ns_);
    DeviceRow& row = device->row;
    row.window_ns = activity.window_ns();
    row.busy_ns = activity.busy_ns();
    row.host_late_ns = activity.host_late_ns();
    row.gaps = activity.gap_count();
    for (const DeviceActivity::Gap& gap : activity.gaps()) {
      row.longest_gap_ns = std::max(row.longest_gap_ns, gap.duration_ns);
      result_.gaps.push_back({row.node, row.device, gap.start_ns, gap.duration_ns,
                              NameOf(gap.before), NameOf(gap.after), gap.host_late});
    }
    result_.devices.push_back(std::move(row));
  }

  static constexpr uint32_t kNoRow = UINT32_MAX;

  KernelStream stream_;
  const int64_t from_ns_;
  const int64_t to_ns_;
  KernelStatistics result_;
  std::map<std::string, Process> processes_;     // By node.
  std::vector<Process*> process_of_;             // By source; so the next three.
  std::vector<std::vector<uint32_t>> launches_;  // Rows by the numbers of a file.
  std::vector<std::vector<uint32_t>> calls_;
  std::vector<std::vector<uint32_t>> waits_;
  Ids kernel_ids_, call_ids_, wait_ids_;
  std::map<uint8_t, CopyRow> copies_;
  CopyRow fills_;
  DurationHistogram delays_;
  int64_t last_ns_ = std::numeric_limits<int64_t>::min();
};

}  // namespace

Result<KernelStatistics> SummarizeKernels(const std::string& folder, const KernelQuery& query) {
  std::vector<ActivityFile> files = ActivityFiles(folder, query.unfinished);
  if (files.empty()) {
    return Status(Code::kNotFound, fmt::format("{}: no kernels were recorded", folder));
  }
  KernelStatistics statistics = KernelSummary(std::move(files), query.range).Run();
  if (statistics.events == 0 && statistics.windows == 0 && statistics.problems.empty()) {
    return Status(Code::kNotFound, fmt::format("{}: no kernels in this time range", folder));
  }
  return statistics;
}

}  // namespace warden::timeline
