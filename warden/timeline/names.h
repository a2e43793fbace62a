#ifndef WARDEN_TIMELINE_NAMES_H_
#define WARDEN_TIMELINE_NAMES_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace warden::timeline {

// A name by its number in a Names.
using NameId = uint32_t;

// Names that occur millions of times, each kept once. 0 is the empty name. For one thread.
class Names {
 public:
  Names() { IdOf(""); }

  NameId IdOf(std::string_view name) {
    const auto found = ids_.find(name);
    if (found != ids_.end()) return found->second;
    const auto id = static_cast<NameId>(texts_.size());
    ids_.emplace(texts_.emplace_back(name), id);
    return id;
  }

  // Stays where it is as long as this lives.
  const std::string& Text(NameId id) const { return texts_[id]; }
  size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // Never moves what it has.
  std::unordered_map<std::string_view, NameId> ids_;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_NAMES_H_
