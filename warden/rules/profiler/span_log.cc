#include "warden/rules/profiler/span_log.h"

#include <algorithm>
#include <unordered_map>

#include "warden/base/json.h"

namespace warden::rules {

void Intervals::Add(int64_t start_us, int64_t end_us) {
  if (start_us >= end_us) return;
  const auto from =
      std::lower_bound(all_.begin(), all_.end(), start_us,
                       [](const Interval& interval, int64_t at) { return interval.end_us < at; });
  auto to = from;
  for (; to != all_.end() && to->start_us <= end_us; ++to) {
    start_us = std::min(start_us, to->start_us);
    end_us = std::max(end_us, to->end_us);
  }
  if (from == to) {
    all_.insert(from, {start_us, end_us});
  } else {
    *from = {start_us, end_us};
    all_.erase(from + 1, to);
  }
  if (all_.size() > kMost) all_.erase(all_.begin(), all_.begin() + kMost / 2);
}

int64_t Intervals::Overlap(int64_t start_us, int64_t end_us) const {
  int64_t overlap = 0;
  auto at = std::upper_bound(
      all_.begin(), all_.end(), start_us,
      [](int64_t time, const Interval& interval) { return time < interval.end_us; });
  for (; at != all_.end() && at->start_us < end_us; ++at) {
    overlap += std::min(end_us, at->end_us) - std::max(start_us, at->start_us);
  }
  return overlap;
}

void SpanLog::Add(const timeline::Span& span, const timeline::Names& names) {
  if (!IsUsable(span) || span.duration_us == 0) return;
  entries_.push_back({span.start_us, span.duration_us, span.tid, names_.Of(span.name, names),
                      names_.Of(span.phase, names), names_.Of(span.node, names), span.source});
  if (entries_.size() >= kMost) entries_.erase(entries_.begin(), entries_.begin() + kMost / 2);
}

void SpanLog::AppendBreakdown(const IntervalsOf& intervals_of, Json* details) const {
  struct Node {
    const Intervals* intervals = nullptr;
    int64_t first_step_us = INT64_MAX;
    int64_t last_step_us = INT64_MIN;  // Its end.
    double in_steps = 0;
  };
  std::unordered_map<timeline::NameId, Node> nodes;
  FrameworkBreakdown breakdown;
  timeline::NameId last_id = UINT32_MAX;
  Node* last = nullptr;  // Most spans are of the same node as the one before.
  for (const Entry& entry : entries_) {
    if (entry.node != last_id) {
      const auto [found, is_new] = nodes.try_emplace(entry.node);
      last_id = entry.node;
      last = &found->second;
      if (is_new) last->intervals = intervals_of(names_.names().Text(entry.node));
    }
    Node& node = *last;
    if (node.intervals == nullptr || node.intervals->empty()) continue;
    const int64_t end_us = entry.start_us + entry.duration_us;
    const int64_t overlap = node.intervals->Overlap(entry.start_us, end_us);
    if (StepModeOf(names_.names().Text(entry.phase))) {
      node.first_step_us = std::min(node.first_step_us, entry.start_us);
      node.last_step_us = std::max(node.last_step_us, end_us);
      node.in_steps += static_cast<double>(overlap);
    }
    if (overlap <= 0) continue;
    timeline::Span span;
    span.name = entry.name;
    span.phase = entry.phase;
    span.source = entry.source;
    span.node = entry.node;
    span.tid = entry.thread;
    span.start_us = entry.start_us;
    span.duration_us = entry.duration_us;
    breakdown.Add(span, names_.names(), static_cast<double>(overlap));
  }
  for (const auto& [id, node] : nodes) {
    if (node.intervals == nullptr || node.first_step_us >= node.last_step_us) continue;
    const int64_t length = node.intervals->Overlap(node.first_step_us, node.last_step_us);
    breakdown.AddBetweenSteps(std::max(0.0, static_cast<double>(length) - node.in_steps));
  }
  breakdown.AppendTo(names_.names(), details);
}

}  // namespace warden::rules
