#include "warden/view/timeline/stack_walk.h"

#include <algorithm>
#include <queue>
#include <vector>

namespace warden::view {
namespace {

// A span that is to come, or what is left of one.
struct Coming {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  EventId id = 0;
  bool first = true;
  size_t source = 0;  // A row; rows of outer tracks have smaller numbers.
  size_t at = 0;      // Its place in the row.

  // For heaps: what comes first is on top, and what holds others comes before them.
  bool operator<(const Coming& other) const {
    if (start_ns != other.start_ns) return start_ns > other.start_ns;
    if (end_ns != other.end_ns) return end_ns < other.end_ns;
    return source > other.source;
  }
};

class StackWalk {
 public:
  StackWalk(const EventStore& store, const SpanWindow& window, StackVisitor* visitor)
      : store_(store), window_(window), visitor_(*visitor), now_(window.from_ns) {}

  void AddRow(const Row& row) {
    rows_.push_back(&row);
    Push(rows_.size() - 1, row.FirstAt(store_, window_.from_ns));
  }

  void Walk() {
    while (!coming_.empty()) {
      const Coming next = coming_.top();
      coming_.pop();
      if (next.first) Push(next.source, next.at + 1);
      Take(next);
    }
    AdvanceTo(window_.to_ns);
    while (!ends_.empty()) Pop();
  }

 private:
  void Push(size_t source, size_t at) {
    const Row& row = *rows_[source];
    if (at >= row.size()) return;
    const EventId id = row[at];
    const int64_t start = store_.start(id);
    if (start < window_.to_ns) coming_.push({start, store_.end(id), id, true, source, at});
  }

  void Take(Coming span) {
    AdvanceTo(std::max(span.start_ns, window_.from_ns));
    const bool ended = span.end_ns <= window_.from_ns && span.start_ns < window_.from_ns;
    if (ended || ends_.size() >= kMostStack) return;
    int64_t end = std::min(span.end_ns, window_.to_ns);
    const bool divided = !ends_.empty() && end > ends_.back();
    if (divided) end = ends_.back();
    visitor_.Enter(span.id, span.first);
    ends_.push_back(end);
    if (!divided) return;
    span.start_ns = end;
    span.first = false;
    coming_.push(span);
  }

  void AdvanceTo(int64_t time_ns) {
    while (!ends_.empty() && ends_.back() <= time_ns) {
      RunTo(ends_.back());
      Pop();
    }
    if (!ends_.empty()) RunTo(time_ns);
    now_ = std::max(now_, time_ns);
  }

  void RunTo(int64_t time_ns) {
    if (time_ns > now_) visitor_.Run(now_, time_ns);
    now_ = std::max(now_, time_ns);
  }

  void Pop() {
    visitor_.Leave();
    ends_.pop_back();
  }

  const EventStore& store_;
  const SpanWindow window_;
  StackVisitor& visitor_;
  std::vector<const Row*> rows_;
  std::priority_queue<Coming> coming_;
  std::vector<int64_t> ends_;  // Of the spans on the stack; inner ones end first.
  int64_t now_;
};

}  // namespace

void WalkStacks(const TimelineSnapshot& snapshot, std::span<const TrackId> tracks,
                const SpanWindow& window, StackVisitor* visitor) {
  StackWalk walk(*snapshot.store, window, visitor);
  for (const TrackId track : tracks) {
    if (track >= snapshot.tracks.size()) continue;
    for (const Row& row : snapshot.tracks[track].index->rows()) walk.AddRow(row);
  }
  walk.Walk();
}

}  // namespace warden::view
