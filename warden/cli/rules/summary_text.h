#ifndef WARDEN_CLI_RULES_SUMMARY_TEXT_H_
#define WARDEN_CLI_RULES_SUMMARY_TEXT_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/cli/output.h"
#include "warden/rules/engine/report.h"
#include "warden/watch/summary/run_facts.h"

namespace warden::cli {

// How rules and their findings are printed, the same by every command.

// New findings, each with the name of its rule, in the order in which they were found.
using NewFindings = std::vector<std::pair<std::string, rules::Finding>>;
// One line per rule and step, about its worst finding: "VanishingGradient at step 0: fc.weight mean
// |g| 3e-09 is below 1e-07 (5 more tensors)". A layer that breaks takes others with it.
std::vector<std::string> AlertLines(const NewFindings& findings);

// "training stopped by rule VanishingGradient at step 7"; step -1: before the first.
std::string StopText(const std::string& rule, Step step);

struct SummaryOptions {
  bool verbose = false;         // All problems in full, and each rule that was not evaluated.
  std::set<std::string> named;  // Rules that the user asked for: always mentioned.
  watch::RunFacts facts;
};
// What was found, worst first, since when and what to try; then how many rules found nothing or
// were not evaluated. Fits one screen unless verbose.
void PrintSummary(const std::vector<rules::RuleReport>& reports, const SummaryOptions& options,
                  Output* out);

// Where to look next.
struct RunPlaces {
  std::string run;           // As the user named it.
  std::string dashboard;     // Its address; empty: how to start one is printed instead.
  std::string report_page;   // The profiling report; empty: none.
  std::string xgboost_page;  // The XGBoost report; empty: none.
};
void PrintPlaces(const RunPlaces& places, const watch::RunFacts& facts, Output* out);

// {"run", "rules": [...]}.
Json ReportsJson(const std::string& run, const std::vector<rules::RuleReport>& reports);

// Exit code: 3 if a rule found a problem, 1 if one failed, else 0.
int ExitCodeFor(const std::vector<rules::RuleReport>& reports);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_SUMMARY_TEXT_H_
