#ifndef WARDEN_RULES_PROFILER_BY_NAME_H_
#define WARDEN_RULES_PROFILER_BY_NAME_H_

// A map from names of nodes and devices to what a profiler rule keeps of each. Used by most
// profiler rules.

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "warden/timeline/names.h"

namespace warden::rules {

// An order of names: gpu2 before gpu10, algo-2 before algo-10. Names of one kind differ in their
// number only, so the length decides first. Reports and findings list nodes and GPUs in this order.
struct ShorterFirst {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};

// Something that is kept for each node or device, found quickly by the number of its name and
// listed in the order of the names. Can be moved, not copied. For one thread. Of() is called for
// each sample: after the first sample of a device it costs one look-up by number, no text is
// compared.
template <class T>
class ByName {
 public:
  using Map = std::map<std::string, T, ShorterFirst>;

  ByName() = default;
  ByName(const ByName&) = delete;
  ByName& operator=(const ByName&) = delete;
  ByName(ByName&&) = default;
  ByName& operator=(ByName&&) = default;

  // The item of that name, value-initialized at first. The reference is valid as long as this
  // object. REQUIRES: all ids are of the same Names.
  T& Of(timeline::NameId id, const timeline::Names& names) {
    const auto found = by_id_.find(id);
    if (found != by_id_.end()) return *found->second;
    T& value = all_[names.Text(id)];
    by_id_.emplace(id, &value);
    return value;
  }

  // In the order of the names, for reports and evaluations.
  Map& all() { return all_; }
  const Map& all() const { return all_; }
  bool empty() const { return all_.empty(); }

 private:
  Map all_;
  std::unordered_map<timeline::NameId, T*> by_id_;
};

}  // namespace warden::rules

#endif  // WARDEN_RULES_PROFILER_BY_NAME_H_
