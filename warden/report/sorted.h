#ifndef WARDEN_REPORT_SORTED_H_
#define WARDEN_REPORT_SORTED_H_

// Order in reports must not depend on the machine: rows with the same value stay as they came.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace warden::report {

// Sorts and leaves equals in their order. less: a strict order, called with elements of *all. Not
// std::stable_sort: the standard library's own calls what C++20 deprecates, which clang takes for
// our mistake.
//
//   SortStably(&all, [](const Named& a, const Named& b) { return a.value > b.value; });
//
// O(n log n) comparisons, and one move of each element. T need not be copyable.
template <class T, class Less>
void SortStably(std::vector<T>* all, Less less) {
  std::vector<size_t> order(all->size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (less((*all)[a], (*all)[b])) return true;
    return !less((*all)[b], (*all)[a]) && a < b;
  });
  std::vector<T> sorted;
  sorted.reserve(all->size());
  for (const size_t i : order) sorted.push_back(std::move((*all)[i]));
  *all = std::move(sorted);
}

}  // namespace warden::report

#endif  // WARDEN_REPORT_SORTED_H_
