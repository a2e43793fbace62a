#ifndef WARDEN_RULES_CATALOG_SPEC_JSON_H_
#define WARDEN_RULES_CATALOG_SPEC_JSON_H_

// Descriptions of rules as JSON, for `warden rules --json` and the dashboard's forms.

#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/rules/rule.h"

namespace warden::rules {

// "debug", "profiler", "report". Stable.
std::string_view KindName(RuleKind kind);

// {"name", "kind", "severity", "doc", "advice", "parameters": [{"name", "type", "default", "doc",
// "accepted"}]}: an entry of the catalog for other programs. "default" is null where there is none;
// the parameters are those of AllParams.
Json ToJson(const RuleSpec& spec);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CATALOG_SPEC_JSON_H_
