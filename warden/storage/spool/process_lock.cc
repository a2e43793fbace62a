#include "warden/storage/spool/process_lock.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <map>
#include <mutex>
#include <utility>

#include "warden/os/fork.h"
#include "warden/os/posix.h"

namespace warden::storage::spool {
namespace {

struct Held {
  os::UniqueFd file;
  uint64_t born = 0;  // A forked child has the descriptor, but not the lock.
};

std::mutex mutex;  // Guards what follows.

// Never destroyed: other threads may still write while the process ends.
std::map<std::string, Held>& HeldLocks() {
  static auto* const held = new std::map<std::string, Held>;
  return *held;
}

struct flock Whole(Lock lock) {
  struct flock whole = {};
  whole.l_type = static_cast<short>(lock == Lock::kShared ? F_RDLCK : F_WRLCK);
  whole.l_whence = SEEK_SET;
  return whole;
}

// Whether the path still leads to the file: its folder may have been removed meanwhile.
bool IsStillAt(const std::string& path, int file) {
  struct stat opened = {};
  struct stat found = {};
  return fstat(file, &opened) == 0 && stat(path.c_str(), &found) == 0 &&
         os::IsSameFile(opened, found);
}

}  // namespace

bool TakeLock(const std::string& path, Lock lock) {
  const std::lock_guard guard(mutex);
  const uint64_t generation = os::ForkGeneration();
  auto& held = HeldLocks();
  if (const auto found = held.find(path); found != held.end()) {
    if (found->second.born == generation && IsStillAt(path, found->second.file.get())) return true;
    held.erase(found);
  }
  os::UniqueFd file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.ok()) return false;
  struct flock whole = Whole(lock);
  if (fcntl(file.get(), F_SETLK, &whole) != 0 || !IsStillAt(path, file.get())) return false;
  held.emplace(path, Held{std::move(file), generation});
  return true;
}

void DropLock(const std::string& path) {
  const std::lock_guard guard(mutex);
  HeldLocks().erase(path);
}

pid_t LockHolder(const std::string& path) {
  const std::lock_guard guard(mutex);
  const auto found = HeldLocks().find(path);
  const bool known = found != HeldLocks().end();
  const os::UniqueFd opened(known ? -1 : open(path.c_str(), O_RDWR | O_CLOEXEC));
  struct flock whole = Whole(Lock::kAlone);
  if (fcntl(known ? found->second.file.get() : opened.get(), F_GETLK, &whole) != 0) return 0;
  if (whole.l_type == F_UNLCK) return 0;
  return whole.l_pid == 0 ? -1 : whole.l_pid;
}

}  // namespace warden::storage::spool
