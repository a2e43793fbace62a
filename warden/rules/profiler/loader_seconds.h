#ifndef WARDEN_RULES_PROFILER_LOADER_SECONDS_H_
#define WARDEN_RULES_PROFILER_LOADER_SECONDS_H_

// Counts data loader workers by when they were active. A worker that was started but is idle does
// not help, so the rule Dataloader compares this with the cores, not num_workers.

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "warden/timeline/span.h"

namespace warden::rules {

// How many data loader workers of a host were active in each second: distinct worker ids of its
// processes, or distinct processes where no span has a worker id. The rule Dataloader keeps one for
// each host. Only the latest 300 seconds are kept open, so memory is bounded. For one thread.
class LoaderSeconds {
 public:
  // Adds a span of data loading. Spans may come in any order, but a span that is more than 300
  // active seconds late is not counted. REQUIRES: IsUsable(span). A span counts in each second that
  // it touches, the last 3600 at most: nothing loads a batch for longer.
  void Add(const timeline::Span& span);

  // Seconds with at least one active worker.
  int64_t seconds() const;
  // Median number of active workers over these seconds; between two seconds it may be half a
  // worker. Seconds without a worker do not count. REQUIRES: seconds() > 0.
  double Median() const;

 private:
  using Id = std::pair<timeline::NameId, int64_t>;
  using Counts = std::map<size_t, int64_t>;  // By how many were at work: in how many seconds.
  struct Second {
    std::set<Id> workers;
    std::set<Id> processes;
  };

  static void Insert(const Id& id, std::set<Id>* into, Counts* counts);
  const Counts& counts() const { return has_workers_ ? workers_ : processes_; }

  std::map<int64_t, Second> open_;  // The latest ones, to which spans may still be added.
  int64_t closed_before_ = INT64_MIN;
  bool has_workers_ = false;
  Counts workers_;
  Counts processes_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_LOADER_SECONDS_H_
