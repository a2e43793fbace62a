#ifndef WARDEN_TIMELINE_NAMES_H_
#define WARDEN_TIMELINE_NAMES_H_

// Names of spans, phases, nodes and metrics as small numbers. Tables, feeds and rules of the
// profiler exchange NameIds; whoever hands them out also hands out the Names that they refer to.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace warden::timeline {

// A name by its number in a Names.
using NameId = uint32_t;

// Names that occur millions of times, each kept once. 0 is the empty name. For one thread, except
// that texts which were handed out may be read elsewhere: nothing is ever moved or removed. Move it
// or refer to it: the keys of a copy would point into the original.
//
//   Names names;
//   const NameId id = names.IdOf("aten::conv2d");
//   assert(names.Text(id) == "aten::conv2d");
class Names {
 public:
  Names() { IdOf(""); }

  // The number of the name, which is added if it is new. The text is copied. One look-up in a hash
  // table. REQUIRES: fewer than 2^32 names; readers limit what they add.
  NameId IdOf(std::string_view name) {
    const auto found = ids_.find(name);
    if (found != ids_.end()) return found->second;
    const auto id = static_cast<NameId>(texts_.size());
    ids_.emplace(texts_.emplace_back(name), id);
    return id;
  }

  // The reference is valid as long as this object. REQUIRES: the id is one of this object.
  const std::string& Text(NameId id) const { return texts_[id]; }
  // Ids are 0 to size() - 1.
  size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // Never moves what it has.
  std::unordered_map<std::string_view, NameId> ids_;
};

}  // namespace warden::timeline

#endif  // WARDEN_TIMELINE_NAMES_H_
