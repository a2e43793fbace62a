#ifndef WARDEN_CLI_RULES_SUMMARY_TEXT_H_
#define WARDEN_CLI_RULES_SUMMARY_TEXT_H_

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/cli/output.h"
#include "warden/cli/terminal.h"
#include "warden/rules/engine/report.h"
#include "warden/rules/severity.h"
#include "warden/watch/summary/finding_groups.h"
#include "warden/watch/summary/machine_log.h"
#include "warden/watch/summary/run_facts.h"

namespace warden::cli {

// How rules and their findings are printed, the same by every command.

// New findings, each with the name of its rule, in the order in which they were found.
using NewFindings = std::vector<std::pair<std::string, rules::Finding>>;
// One line per rule and step, about its worst finding: "VanishingGradient at step 0: fc.weight mean
// |g| 3e-09 is below 1e-07 (5 more tensors)". A layer that breaks takes others with it.
std::vector<std::string> AlertLines(const NewFindings& findings);

// The line that announces an incident, or what follows from one: as AlertLines, about the worst
// finding of the group.
std::string AlertLine(const watch::FindingGroup& group);
// The mark before such a line, in the color of its severity.
std::string AlertMark(rules::Severity severity, const Terminal& terminal);

// "training stopped by rule VanishingGradient at step 7"; step -1: before the first.
std::string StopText(const std::string& rule, Step step);

struct SummaryOptions {
  bool verbose = false;         // All problems in full, and each rule that was not evaluated.
  std::set<std::string> named;  // Rules that the user asked for: always mentioned.
  watch::RunFacts facts;
  watch::MachineLog* machine = nullptr;  // As for FindIncidents; not owned.
};
// What was found, worst first, since when and what to try; then how many rules found nothing or
// were not evaluated, and what shadow rules would have reported. An incident has at most 8 lines,
// all together fit one screen; verbose shows every finding.
void PrintSummary(const std::vector<rules::RuleReport>& reports, const SummaryOptions& options,
                  Output* out);

// The part about what was found: nothing if there is nothing.
void PrintIncidents(const std::vector<rules::RuleReport>& reports, bool verbose, Output* out);

// Where to look next.
struct RunPlaces {
  std::string run;           // As the user named it.
  std::string dashboard;     // Its address; empty: how to start one is printed instead.
  std::string report_page;   // The profiling report; empty: none.
  std::string xgboost_page;  // The XGBoost report; empty: none.
};
void PrintPlaces(const RunPlaces& places, const watch::RunFacts& facts, Output* out);

// {"run", "incidents": [...], "rules": [...]}. machine: as for FindIncidents.
Json ReportsJson(const std::string& run, const std::vector<rules::RuleReport>& reports,
                 watch::MachineLog* machine);

// Whether there is something to tell: a rule found something, or failed. Shadow rules do not count,
// here and below.
bool HasNews(const std::vector<rules::RuleReport>& reports);
// Whether a finding is at least so severe; nothing: none is.
bool HasFinding(const std::vector<rules::RuleReport>& reports,
                std::optional<rules::Severity> limit);
// Exit code: 3 if there is such a finding, 1 if a rule failed, else 0.
int ExitCodeFor(const std::vector<rules::RuleReport>& reports,
                std::optional<rules::Severity> fail_on);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_SUMMARY_TEXT_H_
