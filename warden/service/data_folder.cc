#include "warden/service/data_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "warden/base/strings.h"
#include "warden/service/options.h"

namespace warden::service {
namespace {

// What the holder wrote into its lock; empty if it has not come to it yet.
std::string HolderOf(int lock) {
  std::array<char, 32> text{};
  const ssize_t n = pread(lock, text.data(), text.size(), 0);
  const auto pid = ParseInt(Trim({text.data(), n > 0 ? static_cast<size_t>(n) : 0}));
  return pid ? fmt::format(" (process {})", *pid) : "";
}

// Whether it may be shut for others: nothing is in it, or a service has been.
bool IsOurs(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(DataLayout(path).Database(), error) ||
         std::filesystem::is_empty(path, error);
}

Status MakePrivate(const std::string& path) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) return os::IoError("open", path, errno);
  if (!S_ISDIR(info.st_mode)) return Status(Code::kInvalid, path + " is not a folder");
  if (info.st_uid != geteuid()) {
    return Status(Code::kInvalid,
                  fmt::format("{} belongs to another user (uid {}), who could replace its "
                              "contents; choose a folder that belongs to the user of the service",
                              path, info.st_uid));
  }
  if ((info.st_mode & 077) == 0) return Status();
  if (!IsOurs(path)) {
    return Status(
        Code::kInvalid,
        fmt::format("{} contains other files and other users can read it; expected a new or empty "
                    "folder, the folder of an earlier service, or a private folder (chmod 700)",
                    path));
  }
  return chmod(path.c_str(), 0700) == 0 ? Status() : os::IoError("restrict access to", path, errno);
}

}  // namespace

Result<DataFolder> DataFolder::Hold(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return os::IoError("create the folder", path, error.value());
  if (Status status = MakePrivate(path); !status.ok()) return status;
  const std::string name = path + "/lock";
  os::UniqueFd lock(open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock.ok()) return os::IoError("open", name, errno);
  if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return os::IoError("lock", name, errno);
    return Status(Code::kExists,
                  fmt::format("{} is in use by another service{}", path, HolderOf(lock.get())));
  }
  const std::string pid = fmt::format("{}\n", getpid());
  if (ftruncate(lock.get(), 0) != 0 ||
      pwrite(lock.get(), pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size())) {
    return os::IoError("write", name, errno);
  }
  return DataFolder(std::move(lock));
}

}  // namespace warden::service
