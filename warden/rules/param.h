#ifndef WARDEN_RULES_PARAM_H_
#define WARDEN_RULES_PARAM_H_

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

enum class ParamType : uint8_t {
  kNumber,
  kInteger,
  kSwitch,  // True or False.
  kText,
  kNames,     // A list of names, with commas.
  kPatterns,  // A list of regular expressions, with commas between them.
  kNumbers,   // A list of numbers, with commas.
  kMode,      // TRAIN, EVAL, PREDICT, GLOBAL.
};

// A parameter of a rule: all that checking, help, documentation and forms need to know of it.
struct Param {
  std::string_view name;
  ParamType type = ParamType::kNumber;
  std::string_view default_text;  // As a user would write it; empty: not set.
  std::string_view doc;           // One line.
  double min = -std::numeric_limits<double>::infinity();  // Of numbers, both ends included.
  double max = std::numeric_limits<double>::infinity();
};

// "number", "integer", "bool", "text", "list", "mode": in JSON and documentation.
std::string_view ParamTypeName(ParamType type);
// "a non-negative number", ...
std::string AcceptedText(const Param& param);

// As configurations have them: everything is text. An empty one counts as not given.
using ParamTexts = std::map<std::string, std::string, std::less<>>;

// The checked parameters of one rule, defaults filled in.
class Params {
 public:
  // kInvalid names the rule, the parameter, the value and what is expected.
  static Result<Params> Read(std::string_view rule, std::span<const Param> known,
                             const ParamTexts& given);
  // The same for a rule that may have others too, which only it knows: they are texts.
  static Result<Params> ReadFree(std::string_view rule, std::span<const Param> known,
                                 const ParamTexts& given);

  // REQUIRES: the rule declares the parameter, with the type that the name here says.
  bool Has(std::string_view name) const;  // Given, or set by default.
  bool Given(std::string_view name) const { return given_.contains(name); }
  const ParamTexts& given() const { return given_; }
  double Number(std::string_view name) const;  // 0 if there is none.
  int64_t Integer(std::string_view name) const;
  bool Switch(std::string_view name) const;
  std::string Text(std::string_view name) const;
  std::vector<std::string> List(std::string_view name) const;  // kNames or kPatterns.
  std::vector<double> Numbers(std::string_view name) const;
  std::optional<Mode> OnlyMode(std::string_view name) const;

  // All that are set, in the order of their declaration: name and text.
  const std::vector<std::pair<std::string, std::string>>& texts() const { return texts_; }

  // kInvalid: "Rule: what".
  Status Refuse(std::string_view what) const;

 private:
  std::string rule_;
  std::vector<std::pair<std::string, std::string>> texts_;
  std::map<std::string, std::string, std::less<>> values_;
  ParamTexts given_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PARAM_H_
