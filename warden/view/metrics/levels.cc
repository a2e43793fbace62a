#include "warden/view/metrics/levels.h"

#include <cmath>

namespace warden::view {
void MetricStretch::Add(float value) {
  if (std::isnan(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
  sum += value;
  ++count;
}

void MetricStretch::Add(const MetricStretch& other) {
  low = std::min(low, other.low);
  high = std::max(high, other.high);
  sum += other.sum;
  count += other.count;
}

// Sums round; a mean is never outside of what it is the mean of.
float MetricStretch::mean() const {
  return count == 0 ? kNotMeasured : std::clamp(sum / static_cast<float>(count), low, high);
}
float MetricStretch::least() const { return count == 0 ? kNotMeasured : low; }
float MetricStretch::most() const { return count == 0 ? kNotMeasured : high; }

MetricLevels::MetricLevels(size_t size, const std::vector<size_t>& first) : size_(size) {
  const auto given_up = [&](size_t level) { return level < first.size() ? first[level] : 0; };
  first_ = given_up(0);
  values_.assign(size - first_, kNotMeasured);
  for (size_t level = 1; level < kMetricLevelsAtMost && size >= MetricSamplesAt(level); ++level) {
    upper_.emplace_back();
    upper_.back().first = given_up(level);
    upper_.back().kept.assign(size / MetricSamplesAt(level) - given_up(level), MetricStretch());
  }
}

void MetricLevels::Append(float value) {
  values_.push_back(value);
  ++size_;
  if (size_ % kMetricFanOut == 0) Close(1);
}

// An entry of the level has all that it stands for.
void MetricLevels::Close(size_t level) {
  if (level >= kMetricLevelsAtMost) return;
  if (upper_.size() < level) upper_.emplace_back();
  Level& own = upper_[level - 1];
  MetricStretch stretch;
  const size_t from = own.end() * kMetricFanOut;
  for (size_t i = from; i < from + kMetricFanOut; ++i) AddEntry(level - 1, i, &stretch);
  own.kept.push_back(stretch);
  if (own.end() % kMetricFanOut == 0) Close(level + 1);
}

void MetricLevels::AddEntry(size_t level, size_t i, MetricStretch* stretch) const {
  if (level == 0) return stretch->Add(values_[i - first_]);
  const Level& own = upper_[level - 1];
  stretch->Add(own.kept[i - own.first]);
}

size_t MetricLevels::bytes() const {
  size_t bytes = values_.size() * sizeof(float);
  for (const Level& level : upper_) bytes += level.kept.size() * sizeof(MetricStretch);
  return bytes;
}

size_t MetricLevels::Kept(size_t level) const {
  if (level == 0) return values_.size();
  return level <= upper_.size() ? upper_[level - 1].kept.size() : 0;
}

void MetricLevels::GiveUp(size_t level, size_t first) {
  if (level == 0) {
    if (first <= first_) return;
    values_.erase(values_.begin(), values_.begin() + static_cast<ptrdiff_t>(first - first_));
    first_ = first;
    return;
  }
  if (level > upper_.size()) return;
  Level& own = upper_[level - 1];
  if (first <= own.first) return;
  own.kept.erase(own.kept.begin(), own.kept.begin() + static_cast<ptrdiff_t>(first - own.first));
  own.first = first;
}

float MetricLevels::At(size_t i) const {
  if (Has(0, i)) return values_[i - first_];
  return Range(i, i + 1).mean();
}

MetricStretch MetricLevels::Range(size_t from, size_t to) const {
  MetricStretch stretch;
  for (size_t level = 0; from < to; ++level, from /= kMetricFanOut, to /= kMetricFanOut) {
    const bool top = level >= upper_.size();
    // What was given up is in the level above, with its neighbours.
    if (!top && from < FirstOf(level)) from -= from % kMetricFanOut;
    if (!top && to < FirstOf(level)) to += (kMetricFanOut - to % kMetricFanOut) % kMetricFanOut;
    while (from < to && (top || from % kMetricFanOut != 0)) AddEntry(level, from++, &stretch);
    while (from < to && (top || to % kMetricFanOut != 0)) AddEntry(level, --to, &stretch);
  }
  return stretch;
}

}  // namespace warden::view
