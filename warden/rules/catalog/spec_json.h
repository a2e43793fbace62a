#ifndef WARDEN_RULES_CATALOG_SPEC_JSON_H_
#define WARDEN_RULES_CATALOG_SPEC_JSON_H_

#include <string_view>

#include "warden/base/json_fwd.h"
#include "warden/rules/rule.h"

namespace warden::rules {

// "debug", "profiler", "report".
std::string_view KindName(RuleKind kind);

// {"name", "kind", "doc", "advice", "parameters": [{"name", "type", "default", "doc",
// "accepted"}]}: an entry of the catalogue, as programs read it.
Json ToJson(const RuleSpec& spec);

}  // namespace warden::rules

#endif  // WARDEN_RULES_CATALOG_SPEC_JSON_H_
