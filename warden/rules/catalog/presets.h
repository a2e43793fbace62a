#ifndef WARDEN_RULES_CATALOG_PRESETS_H_
#define WARDEN_RULES_CATALOG_PRESETS_H_

// Sets of rules that have a name, so that a user need not choose. Used by the options --rules of
// the CLI and, for ReportRule, by the dashboard.

#include <optional>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/trial/trial.h"

namespace warden::rules {

// Rules that have one name on the command line:
//   default   those that work well without parameters, and stay silent on a healthy run
//   all       every rule that works without parameters, but no reports
//   none      no rules
// Nothing if there is no such preset. trial: the run if it is open already, else null; for an
// XGBoost run "default" has only the rules that make sense for trees. All configs have of_preset
// set.
std::optional<std::vector<RuleConfig>> Preset(std::string_view name, const trial::Trial* trial);

// The rule that collects what the profiling report shows (ProfilerReport), with the parameters of
// the profiler rules in `others`, and with for_report set. Nothing if ProfilerReport is among
// `others`.
std::optional<RuleConfig> ReportRule(const std::vector<RuleConfig>& others);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CATALOG_PRESETS_H_
