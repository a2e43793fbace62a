#include "warden/view/timeline/tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "warden/timeline/host_clocks.h"

namespace warden::view {
namespace {

using timeline::NameId;
using timeline::Source;

constexpr std::string_view kOperators = "cpu_functions";
constexpr std::string_view kKernels = "gpu_functions";
constexpr std::string_view kTensorFlowGpu = "/device:GPU";
// The system's threads have smaller numbers; others stand for something else.
constexpr int64_t kMostThreads = int64_t{1} << 22;

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The number after the last colon: "gpu_functions-dev:1", "/device:GPU:0/stream:all".
std::string DeviceNumber(std::string_view phase) {
  size_t at = phase.find(kTensorFlowGpu);
  at = at == std::string_view::npos ? phase.rfind(':') : at + kTensorFlowGpu.size();
  if (at == std::string_view::npos || at >= phase.size()) return "0";
  phase.remove_prefix(at + 1);
  const std::string_view number = phase.substr(0, phase.find_first_not_of("0123456789"));
  return IsNumber(number) ? std::string(number) : "0";
}

// Of what hooks record, in the order of a step.
constexpr std::array<std::string_view, 12> kOrder = {
    "Step:ModeKeys.TRAIN", "Step:",          "Initialization", "Forward",          "Backward",
    "Optimizer",           "DataLoaderIter", "Forward-",       "DataLoaderWorker", "Annotation",
    "Finalization",        "operators"};

size_t RankOf(std::string_view name) {
  size_t best = kOrder.size();
  size_t length = 0;
  for (size_t i = 0; i < kOrder.size(); ++i) {
    if (!name.starts_with(kOrder[i]) || kOrder[i].size() < length) continue;
    best = i;
    length = kOrder[i].size();
  }
  return best;
}

// "thread 2" before "thread 10": the number at the end counts as one.
std::pair<std::string_view, uint64_t> WithNumber(std::string_view text) {
  const size_t end = text.find_last_not_of("0123456789") + 1;
  uint64_t number = 0;
  for (const char digit : text.substr(end).substr(0, 18)) number = number * 10 + (digit - '0');
  return {text.substr(0, end), number};
}

}  // namespace

size_t Tracks::Hash::operator()(const Key& key) const {
  uint64_t hash = uint64_t{key.node} << 32 | key.phase;
  for (const int64_t part : {key.pid, key.tid}) {
    hash = (hash ^ static_cast<uint64_t>(part)) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 29;
  }
  return hash;
}

const Tracks::Kind& Tracks::KindOf(NameId phase) {
  if (phase >= kinds_.size()) kinds_.resize(phase + 1);
  Kind& kind = kinds_[phase];
  if (kind.known) return kind;
  const std::string_view text = names_.Text(phase);
  kind.known = true;
  kind.gpu = text.starts_with(kKernels) || text.find(kTensorFlowGpu) != std::string_view::npos;
  kind.operators = text == kOperators;
  if (kind.gpu) kind.device = DeviceNumber(text);
  return kind;
}

TrackId Tracks::Of(const timeline::TraceSpan& found, const SpanArgs& args) {
  const timeline::Span& span = found.span;
  const Kind& kind = KindOf(span.phase);
  Key key{span.node, span.phase, 0, found.phase_tid};
  if (kind.gpu) {
    key.tid = args.stream.value_or(args.tid.value_or(found.phase_tid));
  } else if (span.source == Source::kOther) {
    key.phase = 0;  // Operators, calls of the driver and annotations of a thread lie in each other.
    key.pid = found.phase_pid;
  } else if (kind.operators) {
    key.tid = args.tid.value_or(found.phase_tid);
  } else if (span.worker >= 0) {
    key.tid = span.worker;
  }
  if (!tracks_.empty() && key == last_key_) return last_;
  const auto known = ids_.find(key);
  last_ = known != ids_.end() ? known->second : Make(key, kind, found);
  last_key_ = key;
  return last_;
}

TrackId Tracks::Make(const Key& key, const Kind& kind, const timeline::TraceSpan& found) {
  const timeline::Span& span = found.span;
  TrackName track;
  track.host = timeline::SplitNode(names_.Text(span.node)).first;
  track.gpu = kind.gpu;
  if (tracks_.size() >= kMost) return Overflow(track);
  track.node = names_.Text(span.node);
  track.process = ProcessOf(key, found);
  if (kind.gpu) {
    track.process = fmt::format("GPU {}, {}", kind.device, track.process);
    track.name = Numbered("stream", track, key.tid);
    track.kind = TrackKind::kStream;
  } else if (key.phase == 0) {
    track.name = Numbered("thread", track, key.tid);
  } else if (kind.operators) {
    track.name = Numbered("operators, thread", track, key.tid);
    track.kind = TrackKind::kOperators;
  } else if (span.worker >= 0) {
    track.name = fmt::format("{} {}", names_.Text(span.phase), span.worker);
    track.kind = TrackKind::kWorker;
  } else {
    track.name = names_.Text(span.phase);
    track.kind = TrackKind::kPhase;
    const int before = counts_[fmt::format("{}\n{}\n{}", track.host, track.process, track.name)]++;
    if (before > 0) track.name += fmt::format(" ({})", before + 1);
  }
  const auto id = static_cast<TrackId>(tracks_.size());
  ids_.emplace(key, id);
  // A kernel tells the thread of its operator as the operator itself does.
  if (kind.operators && span.source != Source::kOther) operators_[{span.node, key.tid}] = id;
  tracks_.push_back(std::move(track));
  return id;
}

TrackId Tracks::Overflow(const TrackName& name) {
  const auto [found, made] = overflow_.try_emplace({name.host, name.gpu}, 0);
  // Hosts beyond all measure share the first one's.
  if (made && overflow_.size() > 100) return overflow_.begin()->second;
  if (made) {
    found->second = static_cast<TrackId>(tracks_.size());
    const TrackKind kind = name.gpu ? TrackKind::kStream : TrackKind::kThread;
    tracks_.push_back({"", name.host, name.gpu, "others", "others", kind});
  }
  return found->second;
}

std::string Tracks::ProcessOf(const Key& key, const timeline::TraceSpan& found) {
  if (key.phase == 0 && key.pid >= kMostThreads) return names_.Text(found.span.phase);
  const std::string_view process = timeline::SplitNode(names_.Text(found.span.node)).second;
  if (!process.empty()) return fmt::format("process {}", process);
  if (key.phase == 0) return fmt::format("process {}", key.pid);
  return "process";
}

// What is no number of the system is counted.
std::string Tracks::Numbered(std::string_view what, const TrackName& where, int64_t number) {
  if (number >= 0 && number < kMostThreads) return fmt::format("{} {}", what, number);
  const int before = counts_[fmt::format("{}\n{}\n{}", where.host, where.process, what)]++;
  return fmt::format("{} #{}", what, before + 1);
}

std::optional<TrackId> Tracks::OperatorsOf(NameId node, int64_t thread) const {
  const auto found = operators_.find({node, thread});
  if (found == operators_.end()) return std::nullopt;
  return found->second;
}

std::vector<TrackId> InOrder(const std::vector<TrackName>& tracks) {
  std::vector<TrackId> order(tracks.size());
  std::iota(order.begin(), order.end(), TrackId{0});
  const auto key = [&](TrackId id) {
    const TrackName& track = tracks[id];
    return std::tuple(WithNumber(track.host), track.gpu, WithNumber(track.process),
                      RankOf(track.name), WithNumber(track.name), id);
  };
  std::sort(order.begin(), order.end(), [&](TrackId a, TrackId b) { return key(a) < key(b); });
  return order;
}

}  // namespace warden::view
