#include "warden/storage/shortened_files.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>

#include "warden/base/log.h"

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
std::atomic<uint64_t> shortened = 0;
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
void PutZeros(int signal, siginfo_t* info, void* /*context*/) {
  const int error = errno;
  const auto at = reinterpret_cast<uintptr_t>(info->si_addr);
  constexpr int kHow = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  auto* const page = reinterpret_cast<void*>(at - at % page_size);
  const bool put = info->si_code == BUS_ADRERR && IsMapped(at) &&
                   mmap(page, page_size, PROT_READ | PROT_WRITE, kHow, -1, 0) != MAP_FAILED;
  // Not ours: it happens again, and is then dealt with as if we had never been here. One that was
  // sent, not caused, does not come again by itself.
  if (!put) {
    sigaction(signal, &before, nullptr);
    if (info->si_code <= 0) raise(signal);
  }
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

bool SurvivesShortenedFiles() { return survives; }

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
}

MappingGuard::~MappingGuard() {
  if (place_ == kNone) return;
  Range& range = ranges[static_cast<size_t>(place_)];
  range.begin.store(0, std::memory_order_release);
  range.taken.store(false, std::memory_order_release);
}

void ReportIfShortened(const MappedFile& file) {
  struct stat now;
  if (stat(file.path.c_str(), &now) != 0 || now.st_dev != file.device || now.st_ino != file.inode ||
      static_cast<uint64_t>(now.st_size) >= file.end) {
    return;
  }
  ++shortened;
  LogError("{} was shortened while it was read: bytes {} to {} are missing and were read as zeros",
           file.path, now.st_size, file.end - 1);
}

uint64_t ShortenedFiles() { return shortened; }

}  // namespace warden::storage
