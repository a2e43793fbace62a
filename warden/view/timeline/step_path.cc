#include "warden/view/timeline/step_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "warden/view/timeline/stack_walk.h"
#include "warden/view/timeline/threads.h"

namespace warden::view {
namespace {

constexpr size_t kMostSegments = 500'000;
// Kernels of which nothing is known follow each other if there is less between them.
constexpr int64_t kNearNs = 10'000;
constexpr size_t kMostPathPieces = 1'000'000;

bool Contains(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         }) != text.end();
}

bool ContainsAny(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return Contains(text, part); });
}

// What a span waits for, as its name tells.
enum class Waits : uint8_t { kNo, kGpu, kWorker, kThread };

// What the name and category of a span tell.
struct LabelFacts {
  std::optional<PathKind> kind = {};
  Waits waits = Waits::kNo;
  bool is_operator = false;
};

LabelFacts CpuFacts(std::string_view name, std::string_view category) {
  if (ContainsAny(name, {"nccl", "allreduce", "all_reduce", "allgather", "reduce_scatter",
                         "horovod", "c10d::", "gloo"})) {
    return {PathKind::kCommunication};
  }
  if (category.starts_with("DataLoader") || category.starts_with("DataIterator") ||
      Contains(name, "dataloader")) {
    return {PathKind::kDataLoading, Waits::kWorker};
  }
  const bool synchronous = Contains(name, "memcpy") && !Contains(name, "async");
  if (Contains(name, "synchronize") || synchronous || name == "aten::item" ||
      name == "aten::_local_scalar_dense") {
    return {std::nullopt, Waits::kGpu};
  }
  if (category.starts_with("Backward") || ContainsAny(name, {"backward", "autograd::engine"})) {
    return {PathKind::kBackward, Waits::kThread};
  }
  if (category.starts_with("Optimizer") || name.starts_with("Optimizer.")) {
    return {PathKind::kOptimizer};
  }
  if (category.starts_with("Forward") || name.starts_with("nn.Module:")) {
    return {PathKind::kForward};
  }
  return {};
}

LabelFacts GpuFacts(std::string_view name) {
  if (Contains(name, "nccl")) return {PathKind::kCommunication};
  if (ContainsAny(name, {"memcpy", "memset"})) return {PathKind::kCopy};
  return {PathKind::kKernel};
}

// The innermost span of a thread for a while.
struct Segment {
  int64_t from_ns = 0;
  int64_t to_ns = 0;
  EventId id = 0;
  PathKind kind = PathKind::kOther;
  Waits waits = Waits::kNo;
};

// A thread of the step's process, in the time of the step.
struct Lane {
  TrackKind kind = TrackKind::kThread;
  bool operators = false;         // It computes, and does not only mark what others do.
  std::vector<Segment> segments;  // By time; they do not overlap.

  // The last one that begins before that time; segments.size() if there is none.
  size_t Before(int64_t time_ns) const {
    const auto at = std::partition_point(segments.begin(), segments.end(),
                                         [&](const Segment& one) { return one.from_ns < time_ns; });
    return at == segments.begin() ? segments.size() : at - segments.begin() - 1;
  }
};

class LaneReader : public StackVisitor {
 public:
  LaneReader(const EventStore& store, Lane* lane, bool* cut)
      : store_(store), lane_(*lane), cut_(*cut) {}

  void Enter(EventId id, bool /*first*/) override {
    const LabelFacts& facts = FactsOf(store_.label(id));
    lane_.operators |= facts.is_operator;
    PathKind around = stack_.empty() ? Default() : stack_.back().kind;
    if (facts.is_operator && around == PathKind::kOther) around = PathKind::kOperator;
    stack_.push_back({0, 0, id, facts.kind.value_or(around), facts.waits});
  }
  void Leave() override { stack_.pop_back(); }
  void Run(int64_t from_ns, int64_t to_ns) override {
    if (lane_.segments.size() >= kMostSegments) {
      cut_ = true;
      return;
    }
    Segment& top = stack_.back();
    top.from_ns = from_ns;
    top.to_ns = to_ns;
    lane_.segments.push_back(top);
  }

 private:
  PathKind Default() const {
    return lane_.kind == TrackKind::kWorker ? PathKind::kDataLoading : PathKind::kOther;
  }

  const LabelFacts& FactsOf(LabelId label) {
    const auto [found, made] = facts_.try_emplace(label);
    if (made) {
      const EventStore::Label& text = store_.Text(label);
      found->second = lane_.kind == TrackKind::kStream ? GpuFacts(*text.name)
                                                       : CpuFacts(*text.name, *text.category);
      found->second.is_operator = *text.category == "cpu_functions";
    }
    return found->second;
  }

  const EventStore& store_;
  Lane& lane_;
  bool& cut_;
  std::vector<Segment> stack_;
  std::unordered_map<LabelId, LabelFacts> facts_;
};

// Walks back from the end of a step to its beginning.
class PathFinder {
 public:
  PathFinder(const TimelineSnapshot& snapshot, const StepSpan& step)
      : snapshot_(snapshot), store_(*snapshot.store), begin_(step.start_ns) {
    path_.step = step;
    ReadLanes();
  }

  StepPath Find() {
    time_ = begin_ + path_.step.duration_ns;
    lane_ = main_;
    while (time_ > begin_ && path_.pieces.size() < kMostPathPieces) GoBack();
    if (time_ > begin_) Add(begin_, path_.step.id, PathKind::kOther);
    std::reverse(path_.pieces.begin(), path_.pieces.end());
    for (const PathPiece& piece : path_.pieces) {
      path_.ns[static_cast<size_t>(piece.kind)] +=
          static_cast<double>(piece.end_ns - piece.start_ns);
    }
    Note();
    return std::move(path_);
  }

 private:
  void ReadLanes() {
    const TrackId own = store_.track(path_.step.id);
    const std::string& node = snapshot_.tracks[own].name.node;
    const SpanWindow window{begin_, begin_ + path_.step.duration_ns};
    for (const TimelineThread& thread : ThreadsOf(snapshot_)) {
      if (thread.node != node) continue;
      for (const TrackId track : thread.tracks) lane_of_[track] = lanes_.size();
      if (lane_of_.contains(own) && lane_of_[own] == lanes_.size()) main_ = lanes_.size();
      Lane& lane = lanes_.emplace_back();
      lane.kind = thread.kind;
      LaneReader reader(store_, &lane, &cut_);
      WalkStacks(snapshot_, thread.tracks, window, &reader);
    }
  }

  // One piece, or a change to another thread at the same moment: never twice in a row.
  void GoBack() {
    const Lane& lane = lanes_[lane_];
    const size_t at = lane.Before(time_);
    const bool busy = at < lane.segments.size() && lane.segments[at].to_ns >= time_;
    if (!busy && lane_ == main_) {
      // Only where the timeline was cut.
      const int64_t to = at < lane.segments.size() ? lane.segments[at].to_ns : begin_;
      Add(to, path_.step.id, PathKind::kOther);
      return;
    }
    if (!busy) {
      lane_ = main_;
      link_ = PathLink::kStarted;
      return;
    }
    const Segment& segment = lane.segments[at];
    if (lane.kind == TrackKind::kStream) {
      GoBackOnStream(lane, at);
    } else if (!GoToAwaited(segment)) {
      Add(segment.from_ns, segment.id, segment.kind);
      link_ = PathLink::kNext;
    }
  }

  // If the thread waited for another or for a GPU at that moment, goes there.
  bool GoToAwaited(const Segment& segment) {
    const Waits waits = WaitsOf(segment);
    if (waits == Waits::kNo) return false;
    int64_t latest = segment.from_ns;
    size_t found = lanes_.size();
    for (size_t i = 0; i < lanes_.size(); ++i) {
      if (i == lane_ || !IsAwaited(lanes_[i], waits)) continue;
      const size_t at = lanes_[i].Before(time_);
      if (at == lanes_[i].segments.size()) continue;
      const int64_t end = std::min(lanes_[i].segments[at].to_ns, time_);
      if (end <= latest) continue;
      latest = end;
      found = i;
    }
    if (found == lanes_.size()) {
      // If the GPU was recorded, it had ended before: there was nothing to wait for.
      unknown_wait_ |= waits == Waits::kGpu && !RecordsGpu();
      return false;
    }
    Add(latest, segment.id, segment.kind);
    link_ = PathLink::kAwaited;
    lane_ = found;
    return true;
  }

  Waits WaitsOf(const Segment& segment) const {
    if (segment.waits == Waits::kGpu || CopiesToHost(segment.id)) return Waits::kGpu;
    if (lane_ != main_) return Waits::kNo;
    // Of a loop that only waits for the end of the backward pass, there is nothing but the step.
    return segment.id == path_.step.id ? Waits::kThread : segment.waits;
  }

  static bool IsAwaited(const Lane& lane, Waits waits) {
    if (lane.kind == TrackKind::kStream) return waits == Waits::kGpu;
    if (lane.kind == TrackKind::kWorker) return waits == Waits::kWorker;
    return waits == Waits::kThread && lane.operators;
  }

  bool RecordsGpu() const {
    return std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) {
      return lane.kind == TrackKind::kStream && !lane.segments.empty();
    });
  }

  // An operator that copies from a GPU waits for the copy.
  bool CopiesToHost(EventId id) const {
    for (const Link& link : snapshot_.links->Of(store_, id, 4)) {
      if (link.launch == id && Contains(store_.name(link.run), "dtoh") &&
          store_.end(link.run) <= store_.end(id)) {
        return true;
      }
    }
    return false;
  }

  // From a kernel to what it had to wait for: its launch, or the kernel before it.
  void GoBackOnStream(const Lane& lane, size_t at) {
    const Segment& run = lane.segments[at];
    Add(run.from_ns, run.id, run.kind);
    if (time_ <= begin_) return;
    const Segment* before = at > 0 ? &lane.segments[at - 1] : nullptr;
    const std::optional<EventId> launch = LaunchOf(run.id);
    if (!launch) {
      unlinked_ = true;
      if (before != nullptr && run.from_ns - before->to_ns < kNearNs)
        return GoToQueued(run, *before);
      lane_ = main_;
      link_ = PathLink::kUnknown;
      return;
    }
    const int64_t launched = std::min(store_.end(*launch), run.from_ns);
    if (before != nullptr && before->to_ns >= launched) return GoToQueued(run, *before);
    link_ = PathLink::kNext;
    Add(std::max(launched, begin_), run.id, PathKind::kLaunch);
    lane_ = lane_of_[store_.track(*launch)];
    link_ = PathLink::kLaunched;
  }

  void GoToQueued(const Segment& run, const Segment& before) {
    link_ = PathLink::kNext;
    Add(before.to_ns, run.id, PathKind::kLaunch);
    link_ = PathLink::kQueued;
  }

  // What launched it, on a thread of this process.
  std::optional<EventId> LaunchOf(EventId run) const {
    for (const Link& link : snapshot_.links->Of(store_, run, 4)) {
      if (link.run == run && lane_of_.contains(store_.track(link.launch))) return link.launch;
    }
    return std::nullopt;
  }

  // What was done from that time to where the path has come.
  void Add(int64_t from_ns, EventId id, PathKind kind) {
    from_ns = std::max(from_ns, begin_);
    if (from_ns >= time_) return;
    PathPiece* next = path_.pieces.empty() ? nullptr : &path_.pieces.back();
    if (next != nullptr && next->id == id && next->kind == kind && link_ == PathLink::kNext) {
      next->start_ns = from_ns;
    } else {
      path_.pieces.push_back({id, from_ns, time_, kind, next == nullptr ? PathLink::kEnd : link_});
    }
    time_ = from_ns;
  }

  void Note() {
    bool gpu = false;
    bool operators = false;
    for (const Lane& lane : lanes_) {
      gpu |= lane.kind == TrackKind::kStream;
      operators |= lane.operators;
    }
    auto& notes = path_.notes;
    if (cut_) notes.emplace_back("The step has too many spans: its end is missing.");
    if (!operators) {
      notes.emplace_back(
          "No operators were recorded in this step: phases are whole, and waits within them are "
          "not known.");
    }
    if (!gpu) {
      notes.emplace_back(
          "The timeline has no GPU work of this process: only what its threads did is known.");
    } else if (!RecordsGpu()) {
      notes.emplace_back("No GPU work was recorded in this step.");
    }
    if (unlinked_) {
      notes.emplace_back(
          "Some GPU work is not connected with what launched it: there the path continues with "
          "what "
          "the main thread did at that time, which is a guess.");
    }
    if (unknown_wait_) {
      notes.emplace_back("A thread waited for a GPU, and what the GPU did then is not recorded.");
    }
  }

  const TimelineSnapshot& snapshot_;
  const EventStore& store_;
  const int64_t begin_;
  StepPath path_;  // Pieces from the last to the first.
  std::vector<Lane> lanes_;
  std::unordered_map<TrackId, size_t> lane_of_;
  size_t main_ = 0;
  // Where the path has come: back to this time, on this thread.
  int64_t time_ = 0;
  size_t lane_ = 0;
  PathLink link_ = PathLink::kEnd;  // Of the piece that is added next.
  bool cut_ = false;
  bool unlinked_ = false;
  bool unknown_wait_ = false;
};

}  // namespace

std::string_view NameOf(PathKind kind) {
  switch (kind) {
    case PathKind::kDataLoading: return "data loading";
    case PathKind::kForward: return "forward";
    case PathKind::kBackward: return "backward";
    case PathKind::kOptimizer: return "optimizer";
    case PathKind::kOperator: return "CPU operators";
    case PathKind::kCommunication: return "communication";
    case PathKind::kKernel: return "GPU kernels";
    case PathKind::kCopy: return "GPU copies";
    case PathKind::kLaunch: return "GPU launch delay";
    case PathKind::kOther: return "other";
  }
  return "";
}

std::string_view WordsOf(PathLink link) {
  switch (link) {
    case PathLink::kEnd: return "the step ends";
    case PathLink::kNext: return "the same thread continues";
    case PathLink::kAwaited: return "the next piece waited for it";
    case PathLink::kStarted: return "it started the next piece";
    case PathLink::kLaunched: return "it launched the next piece";
    case PathLink::kQueued: return "the next piece was queued behind it";
    case PathLink::kUnknown: return "not recorded";
  }
  return "";
}

StepPath PathOf(const TimelineSnapshot& snapshot, const StepSpan& step) {
  return PathFinder(snapshot, step).Find();
}

std::vector<PathPiece> Shortened(std::vector<PathPiece> pieces, size_t most) {
  if (pieces.size() <= most) return pieces;
  const auto length = [](const PathPiece& piece) { return piece.end_ns - piece.start_ns; };
  std::vector<int64_t> lengths;
  lengths.reserve(pieces.size());
  for (const PathPiece& piece : pieces) lengths.push_back(length(piece));
  const auto limit = lengths.begin() + static_cast<int64_t>(most);
  std::nth_element(lengths.begin(), limit, lengths.end(), std::greater<>());
  std::vector<PathPiece> shown;
  bool joining = false;
  int64_t longest = 0;  // Of those that were joined.
  for (const PathPiece& piece : pieces) {
    const bool alone = length(piece) > *limit;
    if (alone || !joining) {
      shown.push_back(piece);
      longest = length(piece);
    } else {
      PathPiece& joined = shown.back();
      joined.end_ns = piece.end_ns;
      joined.link = piece.link;
      ++joined.count;
      if (length(piece) > longest) {
        longest = length(piece);
        joined.id = piece.id;
        joined.kind = piece.kind;
      }
    }
    joining = !alone;
  }
  return shown;
}

}  // namespace warden::view
