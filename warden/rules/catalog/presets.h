#ifndef WARDEN_RULES_CATALOG_PRESETS_H_
#define WARDEN_RULES_CATALOG_PRESETS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/trial/trial.h"

namespace warden::rules {

// Rules that go by one name on the command line:
//   default   those that judge well without being told anything, and say nothing of a healthy run
//   all       every rule that can do without being told anything
//   none
// Nothing if there is no such preset. trial, where there is one already, tells the framework.
std::optional<std::vector<RuleConfig>> Preset(std::string_view name, const trial::Trial* trial);

// The rule that gathers what the profiler's report tells, with the parameters of the profiler rules
// that are asked for. Nothing if it is among them.
std::optional<RuleConfig> ReportRule(const std::vector<RuleConfig>& others);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CATALOG_PRESETS_H_
