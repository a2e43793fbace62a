#include "warden/view/metrics/node_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warden::view {
namespace {

constexpr double kTogetherSeconds = 0.020;
constexpr size_t kMostMetrics = 4096;  // More than any machine has, ...
constexpr size_t kMostOfAll = 65536;   // ... and any cluster.
constexpr size_t kLeastMetrics = 16;
constexpr double kMostValue = 1e30;      // No metric of a machine; sums of more would overflow.
constexpr double kLatest = 32503680000;  // The year 3000.
// So much of a level always stays.
constexpr size_t kLeastKept = 32 * kMetricFanOut;

bool Is(const MetricColumn& column, const format::MetricLine& line) {
  return column.name == line.name && column.dimension == line.dimension && column.type == line.type;
}

}  // namespace

NodeTable::NodeTable(std::string name, size_t others)
    : name_(std::move(name)),
      most_metrics_(
          std::clamp(kMostOfAll - std::min(others, kMostOfAll), kLeastMetrics, kMostMetrics)) {
  for (auto& whole : wholes_) whole = std::make_unique<MetricLevels>(0, std::vector<size_t>());
}

bool NodeTable::Add(const format::MetricLine& line) {
  if (!(line.time_s > 0) || line.time_s > kLatest || !(std::abs(line.value) < kMostValue)) {
    return false;
  }
  size_t index = 0;
  MetricColumn* const column = ColumnOf(line, &index);
  if (column == nullptr) return false;
  const bool apart = open_ && std::abs(line.time_s - open_time_) > kTogetherSeconds;
  if (apart || (open_ && open_given_[index] != 0)) Finish();
  if (!open_ && !Begin(line.time_s)) return false;
  open_given_[index] = 1;
  open_values_[index] = static_cast<float>(line.value);
  if (column->whole != Whole::kNone) {
    open_wholes_[static_cast<size_t>(column->whole)].Add(static_cast<float>(line.value));
  }
  return true;
}

void NodeTable::Pause() {
  if (open_) Finish();
}

bool NodeTable::Begin(double time) {
  if (size_ > 0 && time < TimeAt(size_ - 1)) return false;
  open_ = true;
  open_time_ = time;
  return true;
}

void NodeTable::Finish() {
  for (size_t i = 0; i < metrics_.size(); ++i) {
    metrics_[i]->levels.Append(open_given_[i] != 0 ? open_values_[i] : kNotMeasured);
    open_given_[i] = 0;
  }
  FinishWholes();
  for (size_t level = 0; level < kMetricLevelsAtMost && size_ % MetricSamplesAt(level) == 0;
       ++level) {
    if (times_.size() == level) times_.emplace_back();
    times_[level].kept.push_back(open_time_);
  }
  ++size_;
  open_ = false;
}

void NodeTable::FinishWholes() {
  const auto of = [this](Whole whole) -> MetricStretch& {
    return open_wholes_[static_cast<size_t>(whole)];
  };
  // The same metric on several devices is summed, as far as it is counted in bytes.
  const auto sum = [&](Whole a, Whole b, Whole both) {
    for (const Whole whole : {a, b}) {
      if (of(whole).count == 0) continue;
      of(both).sum += of(whole).sum;
      of(both).count = 1;
    }
  };
  sum(Whole::kNetworkIn, Whole::kNetworkOut, Whole::kNetwork);
  sum(Whole::kDiskRead, Whole::kDiskWrite, Whole::kDisk);
  for (size_t i = 0; i < kWholes; ++i) {
    const MetricStretch& all = open_wholes_[i];
    const bool percent = kWholeKinds[i].unit == "%";
    wholes_[i]->Append(all.count == 0 ? kNotMeasured : percent ? all.mean() : all.sum);
  }
  open_wholes_ = {};
}

MetricColumn* NodeTable::ColumnOf(const format::MetricLine& line, size_t* index) {
  // Moments repeat the same lines in the same order.
  const size_t next = last_index_ + 1 < metrics_.size() ? last_index_ + 1 : 0;
  if (next < metrics_.size() && Is(*metrics_[next], line)) {
    *index = last_index_ = next;
    return metrics_[next].get();
  }
  for (size_t i = 0; i < metrics_.size(); ++i) {
    if (!Is(*metrics_[i], line)) continue;
    *index = last_index_ = i;
    return metrics_[i].get();
  }
  MetricColumn* const made = Make(line);
  if (made == nullptr) return nullptr;
  *index = last_index_ = metrics_.size() - 1;
  return made;
}

MetricColumn* NodeTable::Make(const format::MetricLine& line) {
  if (metrics_.size() == most_metrics_) return nullptr;
  const std::string stem = fmt::format("{}/{}/{}", line.type, line.name, line.dimension);
  std::string key = stem;
  // Slashes within the parts may make two of them alike.
  for (int i = 2; by_key_.contains(key); ++i) key = fmt::format("{}#{}", stem, i);
  by_key_.emplace(key, metrics_.size());
  metrics_.push_back(std::make_unique<MetricColumn>(
      MetricColumn{key, std::string(line.type), std::string(line.name), std::string(line.dimension),
                   std::string(UnitOf(line)), WholeOf(line), MetricLevels(size_, Firsts())}));
  open_values_.push_back(kNotMeasured);
  open_given_.push_back(0);
  return metrics_.back().get();
}

const MetricLevels* NodeTable::Find(std::string_view key) const {
  for (size_t i = 0; i < kWholes; ++i) {
    if (kWholeKinds[i].key == key) return wholes_[i].get();
  }
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &metrics_[found->second]->levels;
}

std::string_view NodeTable::UnitOfKey(std::string_view key) const {
  for (const WholeKind& kind : kWholeKinds) {
    if (kind.key == key) return kind.unit;
  }
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? "" : std::string_view(metrics_[found->second]->unit);
}

double NodeTable::TimeAt(size_t i) const {
  for (size_t level = 0; level < times_.size(); ++level) {
    const size_t samples = MetricSamplesAt(level);
    const Times& own = times_[level];
    if (i / samples < own.first) continue;
    const size_t at = i / samples - own.first;
    const double begin = own.kept[at];
    if (i % samples == 0) return begin;
    // Between two that are known.
    const double end = at + 1 < own.kept.size() ? own.kept[at + 1] : begin;
    return begin + (end - begin) * static_cast<double>(i % samples) / static_cast<double>(samples);
  }
  return 0;
}

size_t NodeTable::MomentAt(double time) const {
  size_t low = 0;
  size_t high = size_;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (TimeAt(middle) < time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

size_t NodeTable::DetailAt(size_t i) const {
  size_t level = 0;
  while (level < times_.size() && i / MetricSamplesAt(level) < times_[level].first) ++level;
  return MetricSamplesAt(level);
}

std::vector<size_t> NodeTable::Firsts() const {
  std::vector<size_t> firsts;
  for (const Times& level : times_) firsts.push_back(level.first);
  return firsts;
}

size_t NodeTable::bytes() const {
  size_t bytes = 0;
  for (const Times& level : times_) bytes += level.kept.size() * sizeof(double);
  // All are of one length.
  return bytes + (metrics_.size() + kWholes) * wholes_[0]->bytes();
}

size_t NodeTable::Spare(size_t level) const {
  const size_t kept = wholes_[0]->Kept(level);
  // What is to be given up must be in the level above.
  if (kept <= kLeastKept || level + 1 >= kMetricLevelsAtMost) return 0;
  return kept * (metrics_.size() + kWholes) * (level == 0 ? sizeof(float) : sizeof(MetricStretch));
}

void NodeTable::GiveUp(size_t level) {
  const size_t kept = wholes_[0]->Kept(level);
  const size_t first = times_[level].first + kept / 4 / kMetricFanOut * kMetricFanOut;
  Times& own = times_[level];
  own.kept.erase(own.kept.begin(), own.kept.begin() + static_cast<ptrdiff_t>(first - own.first));
  own.first = first;
  for (const auto& column : metrics_) column->levels.GiveUp(level, first);
  for (const auto& whole : wholes_) whole->GiveUp(level, first);
}

}  // namespace warden::view
