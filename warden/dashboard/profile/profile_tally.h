#ifndef WARDEN_DASHBOARD_PROFILE_PROFILE_TALLY_H_
#define WARDEN_DASHBOARD_PROFILE_PROFILE_TALLY_H_

// Counts for the profiler's dashboard that no rule keeps: which kernels and operators took how
// long, and how active the devices were. RunProfile taps the feed of its engine with it.

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "warden/dashboard/profile/work_names.h"
#include "warden/rules/profiler/self_times.h"
#include "warden/rules/profiler/span_kind.h"
#include "warden/rules/profiler/value_distribution.h"
#include "warden/timeline/feed/profile_feed.h"

namespace warden::dashboard {

// How often something was done, and for how long, in microseconds.
struct WorkSum {
  int64_t count = 0;
  // Their sum and the longest.
  double total_us = 0;
  double max_us = 0;
  // The sum without what ran inside; only of operators on the host, whose spans are nested.
  double self_us = 0;

  void Add(double us) {
    ++count;
    total_us += us;
    max_us = us > max_us ? us : max_us;
  }
};

// Counts what the panels of the profiler's dashboard show, as the run is read. Memory is bounded:
// of names beyond 20,000 only the sum is kept, as "(others)", and of annotations only the first 24
// names. For one thread; all batches are of one feed.
//
//   ProfileTally tally;
//   while (feed->Next(&batch).ok() && !batch.empty()) tally.See(batch, feed->names());
//   const auto kernels = LongestFirst(tally.gpu_work());
class ProfileTally {
 public:
  // By name; "(others)" is the sum of those that were too many.
  using Sums = std::map<std::string, WorkSum>;
  using Times = std::map<std::string, rules::Distribution>;  // In seconds.

  // Counts a batch. names are those of its feed: the same object on each call, alive as long as
  // gpu_work, cpu_work or communication is called.
  void See(const timeline::ProfileBatch& batch, const timeline::Names& names);

  // When the last thing happened, in seconds since 1970; 0 if nothing has.
  double last_time() const { return last_time_; }

  // Samples in which a device was used at all (utilization above 0), and in which it was not.
  // Samples without a measurement count as neither.
  struct Activity {
    int64_t active = 0;
    int64_t idle = 0;
  };
  const Activity& gpu_activity() const { return gpu_activity_; }
  const Activity& cpu_activity() const { return cpu_activity_; }

  // Kernels, copies and communication on GPUs, by name. Copies the names: not for a loop. So do the
  // next two.
  Sums gpu_work() const { return Named(gpu_); }
  // Operators on the host.
  Sums cpu_work() const { return Named(cpu_); }
  // Collective operations that Horovod or a data-parallel library recorded on hosts.
  Sums communication() const { return Named(communication_); }
  // Seconds that launching a kernel took on the host.
  const rules::Distribution& launches() const { return launches_; }
  // Calls in which the host waited for a GPU.
  const WorkSum& waits() const { return waits_; }
  // The user's ranges, by name without a number at the end: all "step_12" are "step".
  const Times& annotations() const { return annotations_; }
  // Passes and the like, by the name of the phase.
  const Times& passes() const { return passes_; }

 private:
  using ById = std::unordered_map<timeline::NameId, WorkSum>;

  void See(const timeline::NodeSample& sample);
  // Each span counts in one place: GPU work, communication, launches and waits, operators,
  // annotations, passes. Others are ignored.
  void See(const timeline::Span& span, const timeline::Names& names);
  // The sum of a name, or that of the others if there are too many names.
  static WorkSum& SumOf(timeline::NameId name, ById* sums);
  void Count(const timeline::Span& span, ById* sums) const;
  void CountNested(const timeline::Span& span);
  // Further names than the first 24 are ignored.
  void AddTime(std::string_view name, double seconds, Times* times) const;
  // By the name of the span; remembered, since comparing texts for each span would take most of the
  // time.
  HostCall CallOf(timeline::NameId name, const timeline::Names& names);
  Sums Named(const ById& sums) const;

  double last_time_ = 0;
  Activity gpu_activity_;
  Activity cpu_activity_;
  // By name of the feed; kept short by kMostNames.
  ById gpu_;
  ById cpu_;
  rules::SelfTimes cpu_nesting_;
  ById communication_;
  rules::Distribution launches_;
  WorkSum waits_;
  Times annotations_;
  Times passes_;
  std::vector<uint8_t> calls_;  // By name: 0 not looked at yet, else the HostCall plus one.
  const timeline::Names* names_ = nullptr;
};

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_PROFILE_PROFILE_TALLY_H_
