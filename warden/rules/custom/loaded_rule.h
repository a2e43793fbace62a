#ifndef WARDEN_RULES_CUSTOM_LOADED_RULE_H_
#define WARDEN_RULES_CUSTOM_LOADED_RULE_H_

// What loading a custom rule results in, for python_rule.cc and shared_object_rule.cc.

#include <memory>
#include <string>

#include "warden/rules/param.h"
#include "warden/rules/rule.h"

namespace warden::rules {

// The RuleSpec of a rule that is not built in, together with the texts it refers to. Cannot be
// copied or moved, since the spec points into it; a member of the rule. Texts are copied when the
// rule is loaded, so that the shared object or the Python process may go away before a report is
// written.
class OwnSpec {
 public:
  OwnSpec(std::string name, std::string doc, std::string advice,
          Severity severity = Severity::kProblem, RuleKind kind = RuleKind::kDebug)
      : name_(std::move(name)),
        doc_(std::move(doc)),
        advice_(std::move(advice)),
        spec_{name_, doc_, advice_, {}, {}, kind, severity} {}
  OwnSpec(const OwnSpec&) = delete;
  OwnSpec& operator=(const OwnSpec&) = delete;

  // Without parameters: what a custom rule accepts is known to the rule alone.
  const RuleSpec& spec() const { return spec_; }

 private:
  const std::string name_;
  const std::string doc_;
  const std::string advice_;
  const RuleSpec spec_;
};

// A custom rule that was loaded and made with its parameters. Moved into a PreparedRule. `rule` is
// never null.
struct LoadedRule {
  const RuleSpec* spec = nullptr;  // Belongs to `rule`.
  // As the user wrote them, unchecked but for what the rule itself refused.
  Params params;
  std::unique_ptr<Rule> rule;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_LOADED_RULE_H_
