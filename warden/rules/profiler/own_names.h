#ifndef WARDEN_RULES_PROFILER_OWN_NAMES_H_
#define WARDEN_RULES_PROFILER_OWN_NAMES_H_

// Frees a rule from the feed whose spans it has seen: when the report is written, the feed may be
// gone.

#include <vector>

#include "warden/timeline/names.h"

namespace warden::rules {

// Names that a rule has met, under its own numbers, so that it can still report them when the feed
// that brought them is gone; limited, since nobody reads more. Used by SpanLog and
// OverallFrameworkMetrics. For one thread.
class OwnNames {
 public:
  // Different names; all further ones become "(others)".
  static constexpr size_t kMost = 100'000;

  // The number here of a name there, in constant time. REQUIRES: `names` is the same in all calls.
  timeline::NameId Of(timeline::NameId id, const timeline::Names& names) {
    if (id >= own_.size()) own_.resize(names.size(), kUnknown);
    if (own_[id] == kUnknown) {
      own_[id] = names_.size() < kMost ? names_.IdOf(names.Text(id)) : names_.IdOf("(others)");
    }
    return own_[id];
  }

  // What the numbers that Of() returns refer to.
  const timeline::Names& names() const { return names_; }

 private:
  static constexpr timeline::NameId kUnknown = UINT32_MAX;

  timeline::Names names_;
  std::vector<timeline::NameId> own_;  // By the other's number.
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_OWN_NAMES_H_
