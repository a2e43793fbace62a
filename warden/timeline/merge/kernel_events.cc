#include "warden/timeline/merge/kernel_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "warden/base/json.h"

namespace warden::timeline {
namespace {

using format::GpuEvent;
using format::GpuWork;

constexpr size_t kMostBegun = size_t{1} << 16;

// Calls that start work on a GPU: their arrows end there.
constexpr std::array<std::string_view, 6> kStartingCalls = {
    "cudaLaunch", "cudaGraphLaunch", "cudaMemcpy", "cudaMemset", "cuLaunch", "cuGraphLaunch"};

// The time in microseconds, and what is beyond them.
std::pair<int64_t, int32_t> SplitNs(int64_t ns) {
  constexpr int64_t kUs = 1000;
  const int64_t rest = (ns % kUs + kUs) % kUs;
  return {(ns - rest) / kUs, static_cast<int32_t>(rest)};
}

std::string InsideOfJson(std::string_view text) {
  std::string quoted;
  AppendJsonString(text, &quoted);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

KernelEvents::KernelEvents(std::vector<ActivityFile> files, const TimeRange& range, Names* names)
    : stream_(std::move(files)), range_(range), begun_(kMostBegun) {
  for (const KernelStream::Source& source : stream_.sources()) {
    SourceNames& known = sources_.emplace_back();
    const std::string& node = source.file.node;
    for (const std::string& name : source.dictionary.names) {
      known.names.push_back(InsideOfJson(name));
    }
    const auto phase = [&](const std::string& text) {
      const NameId id = names->IdOf(text);
      return std::pair(id, &names->Text(id));
    };
    std::tie(known.calls, known.calls_name) = phase(fmt::format("CUDA calls ({})", node));
    for (const format::GpuLane& lane : source.dictionary.lanes) {
      const auto [id, name] = phase(fmt::format("GPU {} ({})", lane.device, node));
      known.phases.push_back(id);
      known.phase_names.push_back(name);
    }
  }
  SkipOutside();
}

void KernelEvents::SkipOutside() {
  while (!stream_.done() && !range_.Has(SplitNs(stream_.event().start_ns).first)) stream_.Next();
}

int64_t KernelEvents::time_us() const {
  return stream_.done() ? kNever : SplitNs(stream_.event().start_ns).first;
}

std::string_view KernelEvents::NameOf(const GpuEvent& event) {
  const std::vector<std::string>& names = sources_[stream_.source_index()].names;
  switch (event.work) {
    case GpuWork::kKernel: return names[stream_.source().dictionary.launches[event.name].name];
    case GpuWork::kCopy: return copy_name_ = "copy " + format::CopyName(event.copy);
    case GpuWork::kSet: return "fill";
    default: return names[event.name];
  }
}

void KernelEvents::DescribeArgs(const GpuEvent& event) {
  const auto out = std::back_inserter(args_);
  args_ = "{";
  if (event.work == GpuWork::kKernel) {
    const format::KernelLaunch& launch = stream_.source().dictionary.launches[event.name];
    fmt::format_to(
        out, R"("grid": "{}x{}x{}", "block": "{}x{}x{}", "registers": {}, "shared_bytes": {}, )",
        launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0], launch.block[1],
        launch.block[2], launch.registers, uint64_t{launch.static_shared} + launch.dynamic_shared);
  }
  if (event.work == GpuWork::kCopy || event.work == GpuWork::kSet) {
    fmt::format_to(out, R"("bytes": {}, )", event.bytes);
    if (event.duration_ns > 0) {
      fmt::format_to(out, R"("gb_per_s": {:.4g}, )",
                     static_cast<double>(event.bytes) / static_cast<double>(event.duration_ns));
    }
  }
  if (event.graph_node != 0) {
    fmt::format_to(out, R"("graph": {}, "graph_node": {}, )", event.graph, event.graph_node);
  }
  fmt::format_to(out, R"("correlation": {}}})", event.correlation);
}

MergeSpan KernelEvents::SpanOf(const GpuEvent& event) {
  const SourceNames& known = sources_[stream_.source_index()];
  const format::GpuLane& lane = stream_.source().dictionary.lanes[event.lane];
  MergeSpan span;
  std::tie(span.start_us, span.start_ns) = SplitNs(event.start_ns);
  std::tie(span.duration_us, span.duration_ns) = SplitNs(event.duration_ns);
  const bool is_call = event.work == GpuWork::kCall;
  span.tid = is_call ? lane.thread : lane.stream;
  span.phase = is_call ? known.calls : known.phases[event.lane];
  span.phase_name = is_call ? known.calls_name : known.phase_names[event.lane];
  span.node_name = &stream_.source().file.node;
  span.name = NameOf(event);
  DescribeArgs(event);
  span.args = args_;
  return span;
}

void KernelEvents::WriteArrow(const GpuEvent& event, const MergeSpan& span, EventWriter* writer) {
  if (event.correlation == 0 || event.work == GpuWork::kWait) return;
  Begun& begun = begun_[event.correlation % kMostBegun];
  const bool same =
      begun.correlation == event.correlation && begun.source == stream_.source_index();
  if (event.work != GpuWork::kCall) {
    if (same) writer->FlowTo(span, begun.number);
    if (same) begun.correlation = 0;  // One for a graph, too.
    return;
  }
  const bool starts =
      std::any_of(kStartingCalls.begin(), kStartingCalls.end(),
                  [&](std::string_view call) { return span.name.starts_with(call); });
  if (!starts) return;
  begun = {stream_.source_index(), event.correlation, ++arrows_};
  writer->FlowFrom(span, begun.number);
}

int64_t KernelEvents::WriteNext(EventWriter* writer) {
  const GpuEvent event = stream_.event();
  const MergeSpan span = SpanOf(event);
  writer->Span(span);
  WriteArrow(event, span, writer);
  stream_.Next();
  SkipOutside();
  return SplitNs(event.end_ns()).first;
}

}  // namespace warden::timeline
