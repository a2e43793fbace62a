#ifndef WARDEN_WATCH_BACKTEST_VARIATION_H_
#define WARDEN_WATCH_BACKTEST_VARIATION_H_

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/rules/catalog/rule_config.h"

namespace warden::watch {

// Values of a parameter of a rule to try.
struct Variation {
  std::string rule;  // A rule's name, or the name that a rules file gives it.
  std::string parameter;
  std::vector<std::string> values;
};

// 'Rule.parameter=a,b,c', or a range: 'Rule.parameter=LOW..HIGH' has five values, 'LOW..HIGH:N' has
// N. Between positive ends a factor of ten or more apart they have equal ratios, else equal
// distances; those of integer parameters are rounded. kInvalid says what is wrong with the text.
Result<Variation> ParseVariation(std::string_view text);

// One configuration for each value, made from the rule of `configs` that the variation names, or
// from its defaults if there is none. Their names are "Rule parameter=value".
std::vector<rules::RuleConfig> VariedRules(const Variation& variation,
                                           const std::vector<rules::RuleConfig>& configs);

}  // namespace warden::watch

#endif  // WARDEN_WATCH_BACKTEST_VARIATION_H_
