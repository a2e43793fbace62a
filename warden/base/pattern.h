#ifndef WARDEN_BASE_PATTERN_H_
#define WARDEN_BASE_PATTERN_H_

#include <memory>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden {

// A regular expression as users of Python's re write them, look-arounds included. Safe for many
// threads. Searching is bounded: a pattern that backtracks without end counts as not found.
class Pattern {
 public:
  // kInvalid names the pattern, what is wrong with it and where.
  static Result<Pattern> Compile(std::string_view pattern);

  // Whether the pattern is found anywhere in text.
  bool Search(std::string_view text) const;

  const std::string& text() const { return text_; }

 private:
  struct Compiled;
  Pattern(std::string text, std::shared_ptr<const Compiled> code);

  std::string text_;
  std::shared_ptr<const Compiled> code_;
};

}  // namespace warden

#endif  // WARDEN_BASE_PATTERN_H_
