#ifndef WARDEN_RULES_PROFILER_SELF_TIMES_H_
#define WARDEN_RULES_PROFILER_SELF_TIMES_H_

// The time of operators without the operators that they call, so that nested ones count once. Used
// by FrameworkBreakdown for the report, and by the dashboard's profile.

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "warden/timeline/names.h"
#include "warden/timeline/span.h"

namespace warden::rules {

// How much a span adds to the self time of its name, and how much of it had been counted for the
// span around it, whose name loses it: nothing if that one has not come yet.
struct SelfTime {
  double us = 0;
  timeline::NameId outer = 0;
  double outer_less_us = 0;
};

// Finds the self time of spans as they come: in the order of their ends, as a feed has them, or in
// that of their starts. Spans are nested if they are of one node, phase and thread. Keeps at most
// 16,384 spans of a thread and 1,024 threads; spans around forgotten ones keep their time. For one
// thread.
class SelfTimes {
 public:
  // us: how much of the span counts. REQUIRES: IsUsable(span), and names of one object.
  SelfTime Add(const timeline::Span& span, double us);

 private:
  struct Done {
    int64_t start_us = 0;
    int64_t end_us = 0;
    int64_t latest_end_us = 0;  // Of this one and those before.
    double us = 0;
    timeline::NameId name = 0;
    bool inside = false;  // Its time was taken from the span around it.
  };
  using Thread = std::tuple<timeline::NameId, timeline::NameId, int64_t>;  // Node, phase, thread.

  std::map<Thread, std::vector<Done>> threads_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_SELF_TIMES_H_
