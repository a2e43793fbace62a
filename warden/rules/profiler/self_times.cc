#include "warden/rules/profiler/self_times.h"

#include <algorithm>

namespace warden::rules {
namespace {

constexpr size_t kMostSpans = 16'384;
constexpr size_t kMostThreads = 1024;
constexpr size_t kFarthest = 64;  // Spans to look back at, where they overlap without being nested.

}  // namespace

SelfTime SelfTimes::Add(const timeline::Span& span, double us) {
  const Thread thread{span.node, span.phase, span.tid};
  if (threads_.size() == kMostThreads && !threads_.contains(thread)) threads_.clear();
  std::vector<Done>& done = threads_[thread];
  SelfTime self{.us = us};
  double taken_us = 0;  // By spans inside this one, from the span around both.
  while (!done.empty() && done.back().start_us >= span.start_us &&
         done.back().end_us <= span.end_us()) {
    self.us -= done.back().us;
    if (done.back().inside) taken_us += done.back().us;
    done.pop_back();
  }
  self.us = std::max(self.us, 0.0);
  const auto is_around = [&](const Done& one) {
    return one.start_us <= span.start_us && one.end_us >= span.end_us();
  };
  size_t at = done.size();
  const size_t last = at > kFarthest ? at - kFarthest : 0;
  while (at > last && done[at - 1].latest_end_us >= span.end_us() && !is_around(done[at - 1])) --at;
  const bool inside = at > last && is_around(done[at - 1]);
  if (inside) {
    done.resize(at);  // Those in between have ended and were taken from it.
    self.outer = done.back().name;
    self.outer_less_us = std::max(us - taken_us, 0.0);
  }
  if (done.size() == kMostSpans) done.erase(done.begin(), done.begin() + kMostSpans / 2);
  const int64_t before = done.empty() ? span.end_us() : done.back().latest_end_us;
  done.push_back(
      {span.start_us, span.end_us(), std::max(before, span.end_us()), us, span.name, inside});
  return self;
}

}  // namespace warden::rules
