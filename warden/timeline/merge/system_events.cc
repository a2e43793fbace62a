#include "warden/timeline/merge/system_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "warden/base/json.h"

namespace warden::timeline {
namespace {

constexpr double kLowGpuPercent = 85;
constexpr int64_t kNearUs = 20'000;

}  // namespace

SystemEvents::SystemEvents(MetricTable table, bool bottlenecks) : table_(std::move(table)) {
  order_.resize(table_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::erase_if(order_, [this](uint32_t row) { return !std::isfinite(table_.values[row]); });
  // Of lines with the same time the earlier one comes first.
  std::sort(order_.begin(), order_.end(), [this](uint32_t a, uint32_t b) {
    return std::pair(table_.times_us[a], a) < std::pair(table_.times_us[b], b);
  });
  if (bottlenecks) FindMarks();
}

void SystemEvents::FindMarks() {
  const NameId utilization = table_.names.IdOf("GPUUtilization");
  for (size_t i = 0; i < order_.size(); ++i) {
    const uint32_t row = order_[i];
    if (table_.dimensions[row] != utilization || table_.values[row] >= kLowGpuPercent) continue;
    if (!marks_.empty() && TimeAt(i) - TimeAt(marks_.back()) <= kNearUs) continue;
    marks_.push_back(i);
  }
}

// Of what happens at the same moment counters come first.
bool SystemEvents::MarkIsNext() const {
  if (next_mark_ == marks_.size()) return false;
  return next_ == order_.size() || TimeAt(marks_[next_mark_]) < TimeAt(next_);
}

int64_t SystemEvents::time_us() const {
  return MarkIsNext() ? TimeAt(marks_[next_mark_]) : TimeAt(next_);
}

void SystemEvents::WriteNext(EventWriter* writer) {
  if (MarkIsNext()) return WriteMark(marks_[next_mark_++], writer);
  const uint32_t row = order_[next_++];
  writer->Counter(NameOf(row), table_.times_us[row], table_.values[row]);
}

void SystemEvents::WriteMark(size_t place, EventWriter* writer) {
  const int64_t at = TimeAt(place);
  size_t begin = place;
  size_t end = place;
  while (begin > 0 && at - TimeAt(begin - 1) <= kNearUs) --begin;
  while (end < order_.size() && TimeAt(end) - at <= kNearUs) ++end;
  // Each name once, with its last value, in the order of their first ones.
  std::vector<std::pair<const std::string*, double>> near;
  std::unordered_map<const std::string*, size_t> places;
  for (size_t i = begin; i < end; ++i) {
    const std::string& name = NameOf(order_[i]);
    const auto [found, made] = places.try_emplace(&name, near.size());
    if (made) near.emplace_back(&name, 0);
    near[found->second].second = table_.values[order_[i]];
  }
  std::string args;
  for (const auto& [name, value] : near) {
    args += fmt::format("{}\"{}\": ", args.empty() ? "{" : ", ", *name);
    AppendNumber(value, &args);
  }
  args += '}';
  writer->Mark(at, args);
}

const std::string& SystemEvents::NameOf(uint32_t row) {
  const uint64_t metric = table_.metrics[row];
  const uint64_t key =
      (metric << 42) ^ (uint64_t{table_.dimensions[row]} << 21) ^ table_.nodes[row];
  std::string& name = names_[key];
  if (name.empty()) {
    AppendJsonString(fmt::format("{}_{}_{}", table_.names.Text(table_.metrics[row]),
                                 table_.names.Text(table_.dimensions[row]),
                                 table_.names.Text(table_.nodes[row])),
                     &name);
    name = name.substr(1, name.size() - 2);
  }
  return name;
}

}  // namespace warden::timeline
