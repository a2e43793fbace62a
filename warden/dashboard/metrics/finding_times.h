#ifndef WARDEN_DASHBOARD_METRICS_FINDING_TIMES_H_
#define WARDEN_DASHBOARD_METRICS_FINDING_TIMES_H_

#include <string>
#include <vector>

#include "warden/rules/finding.h"

namespace warden::dashboard {

struct RecordedFinding {
  std::string rule;  // As the folder is called.
  rules::Finding finding;
};

// What rules have found so far, as their records below that folder tell it: firings.jsonl, and
// findings of status.json that are not there. What cannot be read is passed over, and so is what is
// beyond so many megabytes and findings.
std::vector<RecordedFinding> ReadFindings(const std::string& rule_records);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_METRICS_FINDING_TIMES_H_
