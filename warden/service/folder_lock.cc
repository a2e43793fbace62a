#include "warden/service/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <set>
#include <utility>

#include "warden/os/posix.h"

namespace warden::service {
namespace {

using FolderId = std::pair<dev_t, ino_t>;

// The folders that this process has locked. The kernel's lock does not tell two holders in one
// process apart, and is lost when either closes the file: a second one must not even open it.
struct OwnFolders {
  std::mutex mutex;
  std::set<FolderId> folders;
};

OwnFolders& Own() {
  static OwnFolders own;
  return own;
}

// The whole file, for whoever writes.
struct flock WholeFile() {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

// " (process 17)"; empty if it is not known here, as in another container.
std::string HolderOf(int file) {
  struct flock lock = WholeFile();
  const bool is_known = fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  return is_known && lock.l_pid > 0 ? fmt::format(" (process {})", lock.l_pid) : "";
}

Status InUse(const std::string& folder, const std::string& holder) {
  return Status(Code::kExists, fmt::format("{} is in use by another service{}", folder, holder));
}

}  // namespace

struct FolderLock::Held {
  explicit Held(FolderId folder) : id(folder) {}
  ~Held() {
    file = os::UniqueFd();  // First: who comes next must find it unlocked.
    const std::lock_guard lock(Own().mutex);
    Own().folders.erase(id);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  const FolderId id;
  os::UniqueFd file;
};

FolderLock::FolderLock(std::unique_ptr<Held> held) : held_(std::move(held)) {}
FolderLock::~FolderLock() = default;
FolderLock::FolderLock(FolderLock&& other) noexcept = default;
FolderLock& FolderLock::operator=(FolderLock&& other) noexcept = default;

Result<FolderLock> FolderLock::Take(const std::string& folder) {
  struct stat info{};
  if (stat(folder.c_str(), &info) != 0) return os::IoError("open", folder, errno);
  const FolderId id(info.st_dev, info.st_ino);
  {
    const std::lock_guard lock(Own().mutex);
    if (!Own().folders.insert(id).second) return InUse(folder, " of this process");
  }
  auto held = std::make_unique<Held>(id);
  const std::string name = folder + "/lock";
  held->file = os::UniqueFd(open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  const int file = held->file.get();
  if (file < 0) return os::IoError("open", name, errno);
  struct flock wanted = WholeFile();
  if (fcntl(file, F_SETLK, &wanted) != 0) {
    if (errno != EAGAIN && errno != EACCES) return os::IoError("lock", name, errno);
    return InUse(folder, HolderOf(file));
  }
  const std::string pid = fmt::format("{}\n", getpid());
  if (ftruncate(file, 0) != 0 ||
      pwrite(file, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size())) {
    return os::IoError("write", name, errno);
  }
  return FolderLock(std::move(held));
}

}  // namespace warden::service
