#ifndef WARDEN_RULES_CUSTOM_PYTHON_RULE_H_
#define WARDEN_RULES_CUSTOM_PYTHON_RULE_H_

#include <string>

#include "warden/base/status.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/custom/loaded_rule.h"

namespace warden::rules {

// Starts a rule that is a class of a Python file, written for the API of smdebug.rules.Rule. Used
// by PrepareOwnRule. The rule runs in a separate process, so that nothing it does can disturb the
// other rules: an exception, a crash or a step that takes longer than the parameter
// `timeout_seconds` stops this rule alone. All parameters that it does not share with other rules
// are keyword arguments of its constructor. What it prints is logged, at most 1000 lines. With
// config.profile, the rule gets the profiler's data as its trial, and is a profiler rule.
//
// kInvalid, beginning with the title, if there is no Python with tensorwarden, if the file cannot
// be imported, has no such class, or its constructor does not take the parameters. The process ends
// with the rule, or with the thread that called this.
Result<LoadedRule> LoadPythonRule(const RuleConfig& config, const std::string& title);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_PYTHON_RULE_H_
