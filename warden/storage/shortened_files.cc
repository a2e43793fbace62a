#include "warden/storage/shortened_files.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>

namespace warden::storage {
namespace {

// What the handler may look at: no locks, nothing that moves.
struct Range {
  std::atomic<bool> taken = false;
  std::atomic<uintptr_t> begin = 0;  // 0: none.
  std::atomic<uintptr_t> end = 0;
};
constexpr size_t kMost = 4096;
std::array<Range, kMost> ranges;
std::atomic<bool> survives = false;
struct sigaction before = {};
uintptr_t page_size = 0;

bool IsMapped(uintptr_t at) {
  for (const Range& range : ranges) {
    const uintptr_t begin = range.begin.load(std::memory_order_acquire);
    if (begin != 0 && at >= begin && at < range.end.load(std::memory_order_acquire)) return true;
  }
  return false;
}

// One page at a time: of a range that another thread is about to change, both ends may be seen of
// different mappings, but the page is always one that could not be read.
void PutZeros(int /*signal*/, siginfo_t* info, void* /*context*/) {
  const int error = errno;
  const auto at = reinterpret_cast<uintptr_t>(info->si_addr);
  constexpr int kHow = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  auto* const page = reinterpret_cast<void*>(at - at % page_size);
  const bool put = info->si_code == BUS_ADRERR && IsMapped(at) &&
                   mmap(page, page_size, PROT_READ | PROT_WRITE, kHow, -1, 0) != MAP_FAILED;
  // Not ours: it happens again, and is then dealt with as if we had never been here.
  if (!put) sigaction(SIGBUS, &before, nullptr);
  errno = error;
}

}  // namespace

void SurviveShortenedFiles() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    struct sigaction action = {};
    action.sa_sigaction = PutZeros;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    survives = sigaction(SIGBUS, &action, &before) == 0;
  });
}

MappingGuard::MappingGuard(const void* start, size_t size) {
  if (!survives) return;
  const auto begin = reinterpret_cast<uintptr_t>(start);
  for (size_t i = 0; i < kMost; ++i) {
    Range& range = ranges[i];
    if (range.taken.load(std::memory_order_relaxed) || range.taken.exchange(true)) continue;
    range.end.store(begin + size, std::memory_order_release);
    range.begin.store(begin, std::memory_order_release);
    place_ = static_cast<int>(i);
    return;
  }
  ok_ = false;
}

MappingGuard::~MappingGuard() {
  if (place_ == kNone) return;
  Range& range = ranges[static_cast<size_t>(place_)];
  range.begin.store(0, std::memory_order_release);
  range.taken.store(false, std::memory_order_release);
}

}  // namespace warden::storage
