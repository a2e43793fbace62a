#include "warden/os/open_files.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>

namespace warden::os {
namespace {

// The soft limit before it was raised; 0: it was not.
std::atomic<rlim_t> original = 0;

}  // namespace

size_t OpenFilesLimit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<size_t>(limit.rlim_cur);
}

size_t RaiseOpenFilesLimit(size_t most) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const rlim_t wanted = std::min<rlim_t>(limit.rlim_max, most);
  if (limit.rlim_cur >= wanted) return static_cast<size_t>(limit.rlim_cur);
  const rlimit raised{wanted, limit.rlim_max};
  if (setrlimit(RLIMIT_NOFILE, &raised) != 0) return static_cast<size_t>(limit.rlim_cur);
  rlim_t none = 0;
  original.compare_exchange_strong(none, limit.rlim_cur);
  return static_cast<size_t>(wanted);
}

void RestoreOpenFilesLimit() {
  const rlim_t before = original.load();
  rlimit limit{};
  if (before == 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = std::min(before, limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace warden::os
