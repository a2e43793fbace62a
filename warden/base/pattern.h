#ifndef WARDEN_BASE_PATTERN_H_
#define WARDEN_BASE_PATTERN_H_

#include <memory>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden {

// A regular expression as users of Python's re write them, look-arounds included: for the names of
// tensors in collections, in rules and on the command line. Copies share the compiled code. Safe
// for many threads.
//
//   const auto pattern = Pattern::Compile("^(?!gradient).*bias");
//   if (!pattern.ok()) return pattern.status();
//   if (pattern.value().Search("fc1.bias")) ...
class Pattern {
 public:
  // What becomes of a pattern that is given up on.
  enum class Runaway {
    kDrop,  // Ignored after three texts: of patterns of users, tried on thousands of names.
    kKeep,  // Tried on every text: of our own patterns, which no hostile text may switch off.
  };

  // Compiles once, for many searches. The pattern is UTF-8. kInvalid names the pattern, what is
  // wrong with it and at which byte.
  static Result<Pattern> Compile(std::string_view pattern, Runaway runaway = Runaway::kDrop);

  // Whether the pattern is found anywhere in text, as re.search does; ^ and $ anchor it. The text
  // may be any bytes: invalid UTF-8 matches nothing. Searching is bounded: a pattern that takes
  // more than about a million steps (some 10 ms) on one text counts as not found, and so does one
  // that was dropped, on any text. The first such text is logged as a warning (kKeep: each of
  // them). Copies are dropped and told of together.
  bool Search(std::string_view text) const;

  // The pattern as given to Compile.
  const std::string& text() const { return text_; }

 private:
  struct Compiled;
  Pattern(std::string text, std::shared_ptr<const Compiled> code);
  void GiveUp(std::string_view text) const;

  std::string text_;
  std::shared_ptr<const Compiled> code_;
};

}  // namespace warden

#endif  // WARDEN_BASE_PATTERN_H_
