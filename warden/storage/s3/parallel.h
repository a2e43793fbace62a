#ifndef WARDEN_STORAGE_S3_PARALLEL_H_
#define WARDEN_STORAGE_S3_PARALLEL_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace warden::storage::s3 {

// Requests that are under way at the same time for one call: they wait, mostly.
inline constexpr size_t kMostAtOnce = 16;

// Calls task(0) to task(count - 1), several at a time, in no order, and returns when all have
// returned. It is called by several threads and must not throw.
template <class Task>
void InParallel(size_t count, const Task& task) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++) task(i);
  };
  std::vector<std::jthread> others;
  for (size_t i = 1; i < std::min(count, kMostAtOnce); ++i) others.emplace_back(work);
  work();
}

}  // namespace warden::storage::s3

#endif  // WARDEN_STORAGE_S3_PARALLEL_H_
