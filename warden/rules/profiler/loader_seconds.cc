#include "warden/rules/profiler/loader_seconds.h"

#include <algorithm>

namespace warden::rules {
namespace {

constexpr size_t kMostOpen = 300;       // Spans are told some minutes late at most.
constexpr int64_t kLongestSpan = 3600;  // Seconds; nothing loads a batch for longer.

}  // namespace

void LoaderSeconds::Insert(const Id& id, std::set<Id>* into, Counts* counts) {
  if (!into->insert(id).second) return;
  ++(*counts)[into->size()];
  const auto before = counts->find(into->size() - 1);
  if (before != counts->end() && --before->second == 0) counts->erase(before);
}

void LoaderSeconds::Add(const timeline::Span& span) {
  const bool worker = span.worker >= 0;
  has_workers_ = has_workers_ || worker;
  const int64_t last_us = span.start_us + std::max<int64_t>(span.duration_us - 1, 0);
  const int64_t to = last_us / 1'000'000;
  const int64_t from = std::max(span.start_us / 1'000'000, to - kLongestSpan);
  for (int64_t at = std::max(from, closed_before_); at <= to; ++at) {
    Second& second = open_[at];
    if (worker) Insert({span.node, span.worker}, &second.workers, &workers_);
    Insert({span.node, span.pid}, &second.processes, &processes_);
    if (open_.size() <= kMostOpen) continue;
    closed_before_ = open_.begin()->first + 1;
    open_.erase(open_.begin());
  }
}

int64_t LoaderSeconds::seconds() const {
  int64_t seconds = 0;
  for (const auto& [count, times] : counts()) seconds += times;
  return seconds;
}

double LoaderSeconds::Median() const {
  const int64_t total = seconds();
  const auto at = [&](int64_t rank) {
    for (const auto& [count, times] : counts()) {
      if (rank < times) return static_cast<double>(count);
      rank -= times;
    }
    return 0.0;
  };
  return (at((total - 1) / 2) + at(total / 2)) / 2;
}

}  // namespace warden::rules
