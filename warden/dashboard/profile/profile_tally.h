#ifndef WARDEN_DASHBOARD_PROFILE_PROFILE_TALLY_H_
#define WARDEN_DASHBOARD_PROFILE_PROFILE_TALLY_H_

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "warden/dashboard/profile/work_names.h"
#include "warden/rules/profiler/distribution.h"
#include "warden/rules/profiler/span_kind.h"
#include "warden/timeline/feed/profile_feed.h"

namespace warden::dashboard {

// How often something was done, and for how long.
struct WorkSum {
  int64_t count = 0;
  double total_us = 0;
  double max_us = 0;

  void Add(double us) {
    ++count;
    total_us += us;
    max_us = us > max_us ? us : max_us;
  }
};

// Counts what the panels of the profiler's dashboard tell, as the run goes on. Of names beyond some
// thousands only the sum is kept. For one thread; all names are of one feed.
class ProfileTally {
 public:
  using Sums = std::map<std::string, WorkSum>;
  using Times = std::map<std::string, rules::Distribution>;  // In seconds.

  void See(const timeline::ProfileBatch& batch, const timeline::Names& names);

  // When the last thing happened, in seconds since 1970; 0: nothing has.
  double last_time() const { return last_time_; }

  // Samples in which a device did something, and in which it did nothing.
  struct Activity {
    int64_t active = 0;
    int64_t idle = 0;
  };
  const Activity& gpu_activity() const { return gpu_activity_; }
  const Activity& cpu_activity() const { return cpu_activity_; }

  Sums gpu_work() const { return Named(gpu_); }
  Sums cpu_work() const { return Named(cpu_); }
  Sums communication() const { return Named(communication_); }  // Of Horovod and the like.
  const rules::Distribution& launches() const { return launches_; }
  const WorkSum& waits() const { return waits_; }
  const Times& annotations() const { return annotations_; }
  // Passes and the like, by the name of the phase.
  const Times& passes() const { return passes_; }

 private:
  using ById = std::unordered_map<timeline::NameId, WorkSum>;

  void See(const timeline::NodeSample& sample);
  void See(const timeline::Span& span, const timeline::Names& names);
  void Count(const timeline::Span& span, ById* sums) const;
  void AddTime(std::string_view name, double seconds, Times* times) const;
  HostCall CallOf(timeline::NameId name, const timeline::Names& names);
  Sums Named(const ById& sums) const;

  double last_time_ = 0;
  Activity gpu_activity_;
  Activity cpu_activity_;
  ById gpu_;
  ById cpu_;
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
