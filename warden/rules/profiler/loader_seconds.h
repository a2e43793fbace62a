#ifndef WARDEN_RULES_PROFILER_LOADER_SECONDS_H_
#define WARDEN_RULES_PROFILER_LOADER_SECONDS_H_

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "warden/timeline/span.h"

namespace warden::rules {

// How many data-loader workers of a host were at work in each second: distinct worker ids of its
// processes, or distinct processes where no span says which worker it is of.
class LoaderSeconds {
 public:
  void Add(const timeline::Span& span);

  // With somebody at work.
  int64_t seconds() const;
  // Over the seconds. REQUIRES: seconds() > 0.
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
