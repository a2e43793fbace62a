#ifndef WARDEN_WATCH_SUMMARY_FINDING_GROUPS_H_
#define WARDEN_WATCH_SUMMARY_FINDING_GROUPS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/types.h"
#include "warden/rules/engine/report.h"
#include "warden/rules/finding.h"

namespace warden::watch {

// The findings of one rule that have the same cause. Points into the reports it was made from.
struct FindingGroup {
  const rules::RuleReport* report = nullptr;
  std::vector<const rules::Finding*> findings;  // Earliest step first, then worst first.
  size_t tensors = 0;                           // Different ones; 0: the run as a whole.
  Step first_step = 0;
  Step last_step = 0;
};

// A finding among all of a run: the name of its rule, and its id.
using FindingKey = std::pair<std::string, int64_t>;
std::vector<FindingKey> KeysOf(const FindingGroup& group);

// One group per rule and cause, worst first: NaN and infinity, then what stops learning, then the
// rest; within these the earliest first. Shadow rules have none: nobody acts on what they find.
std::vector<FindingGroup> GroupFindings(const std::vector<rules::RuleReport>& reports);

// Whether `a` is to be shown before `b`, both of one rule: it began earlier, or is further from
// its threshold.
bool ShownBefore(const rules::Finding& a, const rules::Finding& b);

// What is wrong, without the tensor and the time: "mean |g| 2.19e-10 is below 1e-07".
std::string CauseOf(const rules::Finding& finding);

// The tensor or device, with its worker where that is not the only one; empty: the run as a whole.
std::string PlaceOf(const rules::Finding& finding);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_SUMMARY_FINDING_GROUPS_H_
