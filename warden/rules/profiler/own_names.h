#ifndef WARDEN_RULES_PROFILER_OWN_NAMES_H_
#define WARDEN_RULES_PROFILER_OWN_NAMES_H_

#include <vector>

#include "warden/timeline/names.h"

namespace warden::rules {

// The names that a rule has met, with numbers of its own, so that it can tell them when those who
// brought them are gone; and not more of them than anybody would read.
class OwnNames {
 public:
  static constexpr size_t kMost = 100'000;

  // REQUIRES: `names` is always the same.
  timeline::NameId Of(timeline::NameId id, const timeline::Names& names) {
    if (id >= own_.size()) own_.resize(names.size(), kUnknown);
    if (own_[id] == kUnknown) {
      own_[id] = names_.size() < kMost ? names_.IdOf(names.Text(id)) : names_.IdOf("(others)");
    }
    return own_[id];
  }

  const timeline::Names& names() const { return names_; }

 private:
  static constexpr timeline::NameId kUnknown = UINT32_MAX;

  timeline::Names names_;
  std::vector<timeline::NameId> own_;  // By the other's number.
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_OWN_NAMES_H_
