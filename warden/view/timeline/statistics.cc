#include "warden/view/timeline/statistics.h"

#include <algorithm>

namespace warden::view {
namespace {

class Counter {
 public:
  Counter(const EventStore& store, size_t labels, const SpanWindow& window)
      : store_(store), window_(window), times_(labels) {}

  // below: the row with what lies within its events; null if there is none.
  void TakeRow(const Row& row, const Row* below) {
    size_t i = row.FirstAt(store_, window_.from_ns);
    if (i == row.size()) return;
    size_t child = below == nullptr ? 0 : below->FirstFrom(store_, 0, store_.start(row[i]));
    for (; i < row.size(); ++i) {
      const int64_t start = store_.start(row[i]);
      if (start >= window_.to_ns) return;
      const int64_t end = start + store_.duration(row[i]);
      const int64_t duration = PartNs(start, end);
      auto self = static_cast<double>(duration);
      if (below != nullptr) self -= WithinNs(*below, start, end, &child);
      Add(store_.label(row[i]), duration, std::max(self, 0.0));
    }
  }

  std::vector<NameTimes> Sorted() {
    std::erase_if(times_, [](const NameTimes& times) { return times.count == 0; });
    std::sort(times_.begin(), times_.end(), [](const NameTimes& a, const NameTimes& b) {
      return a.total_ns != b.total_ns ? a.total_ns > b.total_ns : a.label < b.label;
    });
    return std::move(times_);
  }

 private:
  // How much of the time [start, end) lies in the window: an event that reaches beyond it took the
  // rest of its time elsewhere.
  int64_t PartNs(int64_t start, int64_t end) const {
    return std::max<int64_t>(0, std::min(end, window_.to_ns) - std::max(start, window_.from_ns));
  }

  // How much of the time [start, end) the events from *at on take, within the window. Moves *at
  // to the first that begins later.
  double WithinNs(const Row& row, int64_t start, int64_t end, size_t* at) const {
    double sum = 0;
    for (; *at < row.size(); ++*at) {
      const int64_t begin = store_.start(row[*at]);
      if (begin >= end) break;
      if (begin >= start) {
        sum += static_cast<double>(PartNs(begin, std::min(begin + store_.duration(row[*at]), end)));
      }
    }
    return sum;
  }

  void Add(LabelId label, int64_t duration, double self) {
    NameTimes& times = times_[label];
    times.label = label;
    ++times.count;
    times.total_ns += static_cast<double>(duration);
    times.self_ns += self;
    times.longest_ns = std::max(times.longest_ns, duration);
  }

  const EventStore& store_;
  const SpanWindow window_;
  std::vector<NameTimes> times_;
};

}  // namespace

std::vector<NameTimes> TimesByName(const TimelineSnapshot& snapshot, const SpanWindow& window,
                                   const std::vector<TrackId>& tracks) {
  Counter counter(*snapshot.store, snapshot.labels, window);
  for (const TrackId track : tracks.empty() ? snapshot.order : tracks) {
    if (track >= snapshot.tracks.size()) continue;
    const std::vector<Row>& rows = snapshot.tracks[track].index->rows();
    for (size_t i = 0; i < rows.size(); ++i) {
      counter.TakeRow(rows[i], i + 1 < rows.size() ? &rows[i + 1] : nullptr);
    }
  }
  return counter.Sorted();
}

}  // namespace warden::view
