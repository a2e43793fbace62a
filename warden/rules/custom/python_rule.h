#ifndef WARDEN_RULES_CUSTOM_PYTHON_RULE_H_
#define WARDEN_RULES_CUSTOM_PYTHON_RULE_H_

#include <string>

#include "warden/base/status.h"
#include "warden/rules/catalog/rule_config.h"
#include "warden/rules/custom/loaded_rule.h"

namespace warden::rules {

// A class of the file against the API of smdebug.rules.Rule. It judges in a process of its own, so
// that nothing it does can disturb the other rules: an exception, a crash or a step that takes
// longer than `timeout_seconds` ends this rule alone. All parameters but those of every rule are
// keyword arguments of its constructor.
//
// kInvalid, beginning with the title, if the file cannot be imported, has no such class, or its
// constructor does not take the parameters.
Result<LoadedRule> LoadPythonRule(const RuleConfig& config, const std::string& title);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_PYTHON_RULE_H_
