#ifndef WARDEN_RULES_PARAM_H_
#define WARDEN_RULES_PARAM_H_

// Parameters of rules: their declaration, checking and values. A rule declares a `Param` for each
// in its RuleSpec; `Params::Read` checks what the user wrote, so that a rule is only made with
// values in range. Help, docs/, the API and the forms of the dashboard come from the same
// declarations.
//
//   static constexpr Param kParams[] = {{"threshold", ParamType::kNumber, "0.5", "Limit", 0, 1}};
//   const auto params = Params::Read("MyRule", kParams, {{"threshold", "0.2"}});
//   const double threshold = params.value().Number("threshold");

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "warden/base/status.h"
#include "warden/base/types.h"

namespace warden::rules {

// How a text is checked and read.
enum class ParamType : uint8_t {
  kNumber,    // Finite or infinite, not NaN.
  kInteger,   // "10"; "10.0" is accepted too.
  kSwitch,    // True or False; also 1, yes, on and 0, no, off, in any case.
  kText,      // Anything.
  kNames,     // A list of names, separated by commas.
  kPatterns,  // A list of regular expressions, separated by commas; each must compile.
  kNumbers,   // A list of numbers, separated by commas; each within min and max.
  kMode,      // TRAIN, EVAL, PREDICT, GLOBAL.
};

// A parameter of a rule: all that checking, help, documentation and forms need to know of it. The
// texts are not owned; those of built-in rules are literals. Constants in the rule's file: a
// parameter costs nothing until a rule is made.
struct Param {
  std::string_view name;
  ParamType type = ParamType::kNumber;
  std::string_view default_text;  // As a user would write it; empty: not set.
  std::string_view doc;           // One line.
  double min = -std::numeric_limits<double>::infinity();  // Of numbers, both ends included.
  double max = std::numeric_limits<double>::infinity();
};

// "number", "integer", "bool", "text", "list", "mode": in JSON and documentation. Stable.
std::string_view ParamTypeName(ParamType type);
// What the parameter accepts, in words, for messages and help: "a non-negative number", "an integer
// from 1 to 1000", "True or False".
std::string AcceptedText(const Param& param);

// As configurations have them: everything is text. An empty one, and Python's "None", count as not
// given.
using ParamTexts = std::map<std::string, std::string, std::less<>>;

// The checked parameters of one rule, defaults filled in. A value: copies are independent, and
// const access is safe from several threads. Ranges are checked when it is read, so a rule need not
// check them again; what two parameters may not be together is up to the rule's MakeRule function.
class Params {
 public:
  // Checks `given` against the declared parameters and trims the texts. Names are matched exactly
  // or else without regard to case. kInvalid names the rule, the parameter, the value and what is
  // expected; also for an unknown name, and for one that is given twice in different case.
  static Result<Params> Read(std::string_view rule, std::span<const Param> known,
                             const ParamTexts& given);
  // The same for custom rules: parameters that are not in `known` are accepted as texts.
  static Result<Params> ReadFree(std::string_view rule, std::span<const Param> known,
                                 const ParamTexts& given);

  // Access by name. REQUIRES: the rule declares the parameter, with the type that the method says.
  // What is not set reads as 0, false, "", an empty list or nullopt.
  bool Has(std::string_view name) const;  // Given, or set by default.
  // Given by the user. given() has all of those, under their declared names.
  bool Given(std::string_view name) const { return given_.contains(name); }
  const ParamTexts& given() const { return given_; }
  // Values of parameters, converted on each call: read them once, in the constructor of the rule.
  double Number(std::string_view name) const;  // 0 if there is none.
  int64_t Integer(std::string_view name) const;
  bool Switch(std::string_view name) const;
  std::string Text(std::string_view name) const;
  std::vector<std::string> List(std::string_view name) const;  // kNames or kPatterns.
  std::vector<double> Numbers(std::string_view name) const;
  std::optional<Mode> OnlyMode(std::string_view name) const;

  // Name and text of all that are set, defaults included, in the order of their declaration: what
  // reports show.
  const std::vector<std::pair<std::string, std::string>>& texts() const { return texts_; }

  // kInvalid with the rule's name in front: "Rule: what". For MakeRule functions.
  Status Refuse(std::string_view what) const;

 private:
  std::string rule_;
  std::vector<std::pair<std::string, std::string>> texts_;
  std::map<std::string, std::string, std::less<>> values_;
  ParamTexts given_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PARAM_H_
