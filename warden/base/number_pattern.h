#ifndef WARDEN_BASE_NUMBER_PATTERN_H_
#define WARDEN_BASE_NUMBER_PATTERN_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "warden/base/status.h"

namespace warden {

// A user's regular expression that finds a number in a line of text: "loss: ([0-9.]+)". As users of
// Python's re write them. Copies share the compiled code. Safe for many threads.
class NumberPattern {
 public:
  // kInvalid names the pattern, what is wrong with it and at which byte.
  static Result<NumberPattern> Compile(std::string_view pattern);

  // What the first group matches, or the whole pattern if it has none, as a number. Nothing if the
  // pattern is not found, or if that is not a finite number. Bounded: a search of more than some
  // 100,000 steps (about a millisecond) finds nothing, and after three of them the pattern is
  // dropped with a warning in the log, since it is tried on every line of a log.
  std::optional<double> Find(std::string_view text) const;

 private:
  struct Compiled;
  explicit NumberPattern(std::shared_ptr<const Compiled> code) : code_(std::move(code)) {}

  std::shared_ptr<const Compiled> code_;
};

}  // namespace warden

#endif  // WARDEN_BASE_NUMBER_PATTERN_H_
