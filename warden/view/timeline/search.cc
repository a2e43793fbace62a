#include "warden/view/timeline/search.h"

#include <algorithm>
#include <string>
#include <utility>

namespace warden::view {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool Contains(std::string_view text, std::string_view lower) {
  const auto same = [](char a, char b) { return Lower(a) == b; };
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(), same) != text.end();
}

}  // namespace

SearchResult Search(const TimelineSnapshot& snapshot, std::string_view text, size_t most) {
  const EventStore& store = *snapshot.store;
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), Lower);
  std::vector<uint8_t> wanted(snapshot.labels);
  bool any = false;
  for (LabelId label = 0; label < snapshot.labels; ++label) {
    wanted[label] = Contains(*store.Text(label).name, lower);
    any |= wanted[label] != 0;
  }
  SearchResult result;
  if (!any) return result;
  // A heap of the earliest, the latest of them on top.
  std::vector<std::pair<int64_t, EventId>> first;
  for (EventId id = 0; id < snapshot.events; ++id) {
    if (!wanted[store.label(id)]) continue;
    ++result.total;
    const std::pair<int64_t, EventId> hit(store.start(id), id);
    if (first.size() < most) {
      first.push_back(hit);
      std::push_heap(first.begin(), first.end());
    } else if (most > 0 && hit < first.front()) {
      std::pop_heap(first.begin(), first.end());
      first.back() = hit;
      std::push_heap(first.begin(), first.end());
    }
  }
  std::sort_heap(first.begin(), first.end());
  for (const auto& [start, id] : first) result.hits.push_back(id);
  return result;
}

}  // namespace warden::view
