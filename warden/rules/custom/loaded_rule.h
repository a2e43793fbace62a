#ifndef WARDEN_RULES_CUSTOM_LOADED_RULE_H_
#define WARDEN_RULES_CUSTOM_LOADED_RULE_H_

#include <memory>
#include <string>

#include "warden/rules/param.h"
#include "warden/rules/rule.h"

namespace warden::rules {

// What is known of a rule that is not built in, with the texts it refers to. Does not move.
class OwnSpec {
 public:
  OwnSpec(std::string name, std::string doc, std::string advice)
      : name_(std::move(name)), doc_(std::move(doc)), advice_(std::move(advice)) {}
  OwnSpec(const OwnSpec&) = delete;
  OwnSpec& operator=(const OwnSpec&) = delete;

  const RuleSpec& spec() const { return spec_; }

 private:
  const std::string name_;
  const std::string doc_;
  const std::string advice_;
  const RuleSpec spec_{name_, doc_, advice_, {}};
};

struct LoadedRule {
  const RuleSpec* spec = nullptr;  // The rule's own, and goes with it.
  Params params;
  std::unique_ptr<Rule> rule;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_CUSTOM_LOADED_RULE_H_
