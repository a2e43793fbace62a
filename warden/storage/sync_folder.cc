#include "warden/storage/sync_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "warden/os/posix.h"

namespace warden::storage {

Status SyncFolder(const std::string& path) {
  const os::UniqueFd folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.ok() && os::IsAbsence(errno)) {
    return Status(Code::kNotFound, fmt::format("{}: {}", path, os::ErrorText(errno)));
  }
  if (!folder.ok() || syncfs(folder.get()) != 0) return os::IoError("sync", path, errno);
  return Status();
}

}  // namespace warden::storage
