#ifndef WARDEN_SAGEMAKER_FILTER_PATTERN_H_
#define WARDEN_SAGEMAKER_FILTER_PATTERN_H_

// Filter patterns of CloudWatch Logs for lines of text.

#include <string>
#include <string_view>
#include <vector>

#include "warden/base/pattern.h"
#include "warden/base/status.h"

namespace warden::sagemaker {

// Which lines a filter pattern selects:
//
//   ERROR loss      both terms are in the line, in any order; upper and lower case differ
//   "loss is nan"   a phrase
//   ?WARN ?ERROR    at least one of these
//   ERROR -retry    the first and not the second
//   %loss=[0-9]+%   a regular expression
//
// Empty: every line. A value; copies share compiled expressions.
class FilterPattern {
 public:
  FilterPattern() = default;
  // kInvalid for patterns of JSON ({...}) and of columns ([...]), which are not supported, and for
  // what cannot be read.
  static Result<FilterPattern> Parse(std::string_view text);

  bool Matches(std::string_view line) const;

 private:
  // A text or a regular expression that is looked for.
  struct Term {
    std::string text;
    std::vector<Pattern> expression;  // One, or none: then the text.
    bool IsIn(std::string_view line) const;
  };
  Status Add(std::string_view text, bool quoted, std::vector<Term>* terms);

  std::vector<Term> all_, any_, none_;
};

}  // namespace warden::sagemaker

#endif  // WARDEN_SAGEMAKER_FILTER_PATTERN_H_
