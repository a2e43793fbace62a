// The container of collection.h.
#include <algorithm>
#include <iterator>
#include <utility>

#include "warden/config/collection.h"

namespace warden::config {
namespace {

template <class List>
auto Find(List& items, std::string_view name) {
  return std::find_if(items.begin(), items.end(),
                      [name](const auto& item) { return item.first == name; });
}

}  // namespace

Collections::Collections(std::initializer_list<value_type> items) {
  for (const value_type& item : items) insert(item);
}

// Elements have constant names and cannot be assigned to one by one; whole lists can be exchanged.
Collections& Collections::operator=(Collections other) noexcept {
  items_.swap(other.items_);
  return *this;
}

Collections::iterator Collections::find(std::string_view name) { return Find(items_, name); }

Collections::const_iterator Collections::find(std::string_view name) const {
  return Find(items_, name);
}

Collection& Collections::operator[](std::string_view name) {
  Collection collection;
  collection.name = name;
  return emplace(std::string(name), std::move(collection)).first->second;
}

std::pair<Collections::iterator, bool> Collections::emplace(std::string name,
                                                            Collection collection) {
  if (const iterator found = find(name); found != end()) return {found, false};
  items_.emplace_back(std::move(name), std::move(collection));
  return {std::prev(items_.end()), true};
}

std::pair<Collections::iterator, bool> Collections::insert(value_type item) {
  return emplace(item.first, std::move(item.second));
}

std::pair<Collections::iterator, bool> Collections::insert_or_assign(std::string name,
                                                                     Collection collection) {
  const iterator found = find(name);
  if (found == end()) return emplace(std::move(name), std::move(collection));
  found->second = std::move(collection);
  return {found, false};
}

size_t Collections::erase(std::string_view name) {
  const const_iterator found = find(name);
  if (found == end()) return 0;
  items_.erase(found);
  return 1;
}

bool Collections::operator==(const Collections& other) const {
  return size() == other.size() && std::all_of(begin(), end(), [&other](const value_type& item) {
           const auto found = other.find(item.first);
           return found != other.end() && found->second == item.second;
         });
}

}  // namespace warden::config
