#include "warden/view/timeline/track_index.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace warden::view {
namespace {

// Counts which label most of the time goes to. Those beyond the first few that are met share what
// is left: no label that matters is so rare.
class Vote {
 public:
  void Add(LabelId label, float weight) {
    for (size_t i = 0; i < used_; ++i) {
      if (labels_[i] != label) continue;
      weights_[i] += weight;
      return;
    }
    if (used_ == labels_.size()) return;
    labels_[used_] = label;
    weights_[used_++] = weight;
  }
  std::pair<LabelId, float> Best() const {
    const auto best = std::max_element(weights_.begin(), weights_.begin() + used_);
    return {labels_[best - weights_.begin()], *best};
  }

 private:
  std::array<LabelId, Row::kFanOut> labels_;
  std::array<float, Row::kFanOut> weights_;
  size_t used_ = 0;
};

// As much of an event as sorting needs, so that it need not look elsewhere.
struct SortItem {
  int64_t start_ns = 0;
  uint32_t packed_duration = 0;
  EventId id = 0;

  // What holds others comes before them.
  bool operator<(const SortItem& other) const {
    if (start_ns != other.start_ns) return start_ns < other.start_ns;
    if (packed_duration != other.packed_duration) return packed_duration > other.packed_duration;
    return id < other.id;
  }
};

std::vector<SortItem> Sorted(const EventStore& store, std::span<const EventId> ids) {
  std::vector<SortItem> items;
  items.reserve(ids.size());
  for (const EventId id : ids) items.push_back({store.start(id), store.packed_duration(id), id});
  std::sort(items.begin(), items.end());
  return items;
}

}  // namespace

Row::Row(const EventStore& store, std::vector<EventId> events) : events_(std::move(events)) {
  size_t below = events_.size();
  while (below > kFanOut) {
    AddLevel(store);
    below = levels_.back().size();
  }
}

Row::Block Row::BlockOf(const EventStore& store, size_t begin, size_t end) const {
  Block block{store.start(events_[begin]), INT64_MIN};
  Vote vote;
  for (size_t i = begin; i < end; ++i) {
    const EventId id = events_[i];
    vote.Add(store.label(id), static_cast<float>(store.duration(id)));
    block.end_ns = std::max(block.end_ns, store.end(id));
    block.longest = std::max(block.longest, store.packed_duration(id));
  }
  std::tie(block.label, block.covered_ns) = vote.Best();
  return block;
}

Row::Block Row::BlockOf(const std::vector<Block>& blocks, size_t begin, size_t end) const {
  Block block{blocks[begin].start_ns, INT64_MIN};
  Vote vote;
  for (size_t i = begin; i < end; ++i) {
    vote.Add(blocks[i].label, blocks[i].covered_ns);
    block.end_ns = std::max(block.end_ns, blocks[i].end_ns);
    block.longest = std::max(block.longest, blocks[i].longest);
  }
  std::tie(block.label, block.covered_ns) = vote.Best();
  return block;
}

void Row::AddLevel(const EventStore& store) {
  const size_t below = levels_.empty() ? events_.size() : levels_.back().size();
  std::vector<Block> level;
  level.reserve((below + kFanOut - 1) / kFanOut);
  for (size_t begin = 0; begin < below; begin += kFanOut) {
    const size_t end = std::min(begin + kFanOut, below);
    level.push_back(levels_.empty() ? BlockOf(store, begin, end)
                                    : BlockOf(levels_.back(), begin, end));
  }
  levels_.push_back(std::move(level));
}

size_t Row::NextBlock(size_t block, int64_t time_ns) const {
  const std::vector<Block>& blocks = levels_.front();
  const auto before = [&](const Block& one) { return one.start_ns < time_ns; };
  size_t low = block + 1;  // Most often it is near.
  size_t step = 1;
  while (low + step < blocks.size() && before(blocks[low + step])) {
    low += step;
    step *= 2;
  }
  if (low >= blocks.size()) return blocks.size();
  const size_t high = std::min(low + step, blocks.size());
  return std::partition_point(blocks.begin() + low, blocks.begin() + high, before) - blocks.begin();
}

size_t Row::FirstFrom(const EventStore& store, size_t from, int64_t time_ns) const {
  if (from >= size()) return size();
  const auto earlier = [&](EventId id) { return store.start(id) < time_ns; };
  size_t end = size();
  if (!levels_.empty()) {
    const size_t next = NextBlock(from / kFanOut, time_ns);
    end = std::min(next * kFanOut, end);
    from = std::max(from, (next - 1) * kFanOut);
  }
  const auto found = std::partition_point(events_.begin() + from, events_.begin() + end, earlier);
  return found - events_.begin();
}

bool Row::ShortEvents(size_t from, int64_t time_ns, int64_t latest_ns, int64_t pixel_ns, size_t* to,
                      int64_t* end_ns) const {
  constexpr size_t kSeveral = 3;
  if (levels_.empty()) return false;
  const std::vector<Block>& blocks = levels_.front();
  const size_t first = from / kFanOut;
  const size_t next = NextBlock(first, time_ns);
  if (next == blocks.size() || next < first + kSeveral) return false;
  if (blocks[next].start_ns > latest_ns) return false;
  const uint32_t pixel = PackDuration(pixel_ns);
  for (size_t i = first; i < next; ++i) {
    if (blocks[i].longest >= pixel) return false;
  }
  *to = next * kFanOut;
  *end_ns = blocks[next - 1].end_ns;
  return true;
}

size_t Row::FirstAt(const EventStore& store, int64_t time_ns) const {
  const size_t next = FirstFrom(store, 0, time_ns);
  return next > 0 && store.end(events_[next - 1]) > time_ns ? next - 1 : next;
}

LabelId Row::Dominant(const EventStore& store, size_t from, size_t to) const {
  Vote vote;
  size_t level = 0;  // Of blocks; the number of those that are looked at is small.
  size_t shift = 1;
  while (level < levels_.size() && (to - from) / shift > kFanOut / 2) {
    shift *= kFanOut;
    ++level;
  }
  if (level == 0) {
    for (size_t i = from; i < to; ++i) {
      vote.Add(store.label(events_[i]), static_cast<float>(store.duration(events_[i])));
    }
    return vote.Best().first;
  }
  const std::vector<Block>& blocks = levels_[level - 1];
  for (size_t i = from / shift; i <= (to - 1) / shift; ++i) {
    vote.Add(blocks[i].label, blocks[i].covered_ns);
  }
  return vote.Best().first;
}

TrackIndex::TrackIndex(const EventStore& store, std::span<const EventId> ids) : size_(ids.size()) {
  const std::vector<SortItem> items = Sorted(store, ids);
  std::vector<int64_t> ends;  // When each row is free again.
  std::vector<std::vector<EventId>> rows;
  for (const SortItem& item : items) {
    size_t row = 0;
    while (row < ends.size() && ends[row] > item.start_ns) ++row;
    row = std::min(row, kMostRows - 1);
    if (row == ends.size()) {
      ends.push_back(item.start_ns);
      rows.emplace_back();
    }
    const int64_t end = item.start_ns + UnpackDuration(item.packed_duration);
    ends[row] = std::max(ends[row], end);
    rows[row].push_back(item.id);
  }
  for (std::vector<EventId>& row : rows) {
    row.shrink_to_fit();
    rows_.emplace_back(store, std::move(row));
  }
}

std::vector<EventId> TrackIndex::Ids() const {
  std::vector<EventId> ids;
  ids.reserve(size_);
  for (const Row& row : rows_) ids.insert(ids.end(), row.events().begin(), row.events().end());
  return ids;
}

std::pair<size_t, size_t> TrackIndex::PlaceOf(const EventStore& store, EventId id) const {
  const int64_t start = store.start(id);
  for (size_t row = 0; row < rows_.size(); ++row) {
    const Row& events = rows_[row];
    for (size_t i = events.FirstFrom(store, 0, start);
         i < events.size() && store.start(events[i]) == start; ++i) {
      if (events[i] == id) return {row, i};
    }
  }
  return {0, 0};
}

int64_t TrackIndex::SelfTime(const EventStore& store, size_t row, EventId id) const {
  const int64_t duration = store.duration(id);
  if (row + 1 >= rows_.size()) return duration;
  const Row& below = rows_[row + 1];
  const int64_t end = store.end(id);
  int64_t within = 0;
  for (size_t i = below.FirstFrom(store, 0, store.start(id));
       i < below.size() && within < duration && store.start(below[i]) < end; ++i) {
    within += std::min(store.end(below[i]), end) - store.start(below[i]);
  }
  return std::max<int64_t>(duration - within, 0);
}

}  // namespace warden::view
