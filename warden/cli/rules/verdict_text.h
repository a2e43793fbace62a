#ifndef WARDEN_CLI_RULES_VERDICT_TEXT_H_
#define WARDEN_CLI_RULES_VERDICT_TEXT_H_

#include <string>
#include <vector>

#include "warden/base/json_fwd.h"
#include "warden/cli/output.h"
#include "warden/rules/report.h"

namespace warden::cli {

// What is printed of rules and what they found, the same by every command.

// "VanishingGradient: gradient/fc.weight: mean |g| 3e-09 is below 1e-07 at step 420".
std::string AlertText(const std::string& rule, const rules::Finding& finding);

// A closing summary: what was found, where, since when and what to try; what was not found; what
// could not be judged and why. explain: also rules that could not be judged, one by one.
void PrintVerdicts(const std::vector<rules::RuleReport>& reports, bool explain, Output* out);

// {"run", "rules": [...]}.
Json VerdictsJson(const std::string& run, const std::vector<rules::RuleReport>& reports);

// Whether any rule found something; 3 for a program's exit code then, 1 if one failed, else 0.
int VerdictCode(const std::vector<rules::RuleReport>& reports);

}  // namespace warden::cli

#endif  // WARDEN_CLI_RULES_VERDICT_TEXT_H_
