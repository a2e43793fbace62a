#ifndef WARDEN_DASHBOARD_METRICS_FINDING_TIMES_H_
#define WARDEN_DASHBOARD_METRICS_FINDING_TIMES_H_

#include <string>
#include <vector>

#include "warden/rules/finding.h"

namespace warden::dashboard {

// A finding as a rule recorded it, with its rule.
struct RecordedFinding {
  std::string rule;  // As the folder is called.
  rules::Finding finding;
};

// What rules have found so far, by their records below that folder: firings.jsonl, and findings of
// status.json that are not in there. By rule, in the order of the folders' names. What cannot be
// read is skipped, and so is what exceeds 16 MiB per file, 1000 rules or 2000 findings per rule;
// links are not followed. Empty for an empty path. Reads the disk on each call; safe for many
// threads.
std::vector<RecordedFinding> ReadFindings(const std::string& rule_records);

}  // namespace warden::dashboard

#endif  // WARDEN_DASHBOARD_METRICS_FINDING_TIMES_H_
