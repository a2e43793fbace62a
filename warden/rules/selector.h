#ifndef WARDEN_RULES_SELECTOR_H_
#define WARDEN_RULES_SELECTOR_H_

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/pattern.h"
#include "warden/base/status.h"
#include "warden/config/collection.h"
#include "warden/rules/param.h"
#include "warden/trial/trial.h"

namespace warden::rules {

// Which tensors a rule looks at: those of any of the collections, those that any of the patterns is
// found in, and those that play any of the roles.
struct Selector {
  std::vector<std::string> collections = {};
  std::vector<std::string> patterns = {};
  std::vector<std::string> roles = {};
  bool all = false;  // Every tensor of the run.

  bool operator==(const Selector&) const = default;
  bool empty() const { return !all && collections.empty() && patterns.empty() && roles.empty(); }
};

// What was not saved, and how to save it: "no ReLU outputs were saved; add --save-all".
std::string WhyNothingMatched(const std::vector<Selector>& selectors);

// What collection_names and tensor_regex say, where a rule has both; both given: the union. The
// fallback if neither is given.
Selector SelectorFrom(const Params& params, Selector fallback);

// A selector against one run.
class Matcher {
 public:
  // kInvalid names a pattern that does not compile.
  static Result<Matcher> Make(const Selector& selector, const trial::Trial& trial);
  bool Matches(std::string_view tensor) const;

 private:
  bool all_ = false;
  std::vector<config::CollectionMatcher> collections_;
  std::vector<Pattern> patterns_;
  std::vector<std::string> prefixes_;  // Of the tensors that play one of the roles.
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_SELECTOR_H_
