#ifndef WARDEN_RULES_SELECTOR_H_
#define WARDEN_RULES_SELECTOR_H_

// Which tensors a rule looks at. A rule returns Selectors from inputs(); the engine makes a Matcher
// of each for the run at hand, and StepTensors applies it to names. The matching does not depend on
// the step.

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/pattern.h"
#include "warden/base/status.h"
#include "warden/config/collection.h"
#include "warden/rules/param.h"
#include "warden/trial/trial.h"

namespace warden::rules {

// Tensors of any of the collections, tensors in whose name any of the patterns is found, and those
// that have any of the roles: a union. Empty selects nothing. A plain value. Two that are equal
// share one Matcher in an engine.
struct Selector {
  std::vector<std::string> collections = {};  // Names, as in the run's collections file.
  std::vector<std::string> patterns = {};     // Regular expressions, found anywhere in the name.
  std::vector<std::string> roles = {};        // "relu_output", "labels", ...: what the hook noted.
  bool all = false;                           // Every tensor of the run.

  bool operator==(const Selector&) const = default;
  bool empty() const { return !all && collections.empty() && patterns.empty() && roles.empty(); }
  // Whether one of the patterns names what is observed of the training loop ("training/..."), which
  // a hook saves only if asked to.
  bool NamesTrainingLoop() const;
};

// What was not saved, and how to save it: "no ReLU outputs were saved; add --save-all". For the
// report of a rule none of whose selectors matched; empty selectors are ignored. In the words of
// users: roles before patterns, which are only how frameworks name what plays a role.
std::string WhyNothingMatched(const std::vector<Selector>& selectors);

// What the parameters collection_names and tensor_regex select; both given: the union. The fallback
// if neither is given, or if the rule declares neither.
Selector SelectorFrom(const Params& params, Selector fallback);

// A selector resolved against one run: collections and roles become patterns and prefixes of names.
// Does not refer to the selector or the trial after Make. Safe for several threads. The engine asks
// once for each new name, and remembers the answer.
class Matcher {
 public:
  // kInvalid names a pattern that does not compile, of the selector or of a collection. Collections
  // and roles that the run does not have match nothing; that is not an error. What was observed of
  // the training loop ("training/...") is matched only by patterns that name it.
  static Result<Matcher> Make(const Selector& selector, const trial::Trial& trial);
  bool Matches(std::string_view tensor) const;

 private:
  bool all_ = false;
  bool log_ = false;  // Also matches "training/...".
  std::vector<config::CollectionMatcher> collections_;
  std::vector<Pattern> patterns_;
  std::vector<std::string> prefixes_;  // Of the tensors that play one of the roles.
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_SELECTOR_H_
