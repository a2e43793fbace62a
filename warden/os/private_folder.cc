#include "warden/os/private_folder.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <filesystem>

#include "warden/os/posix.h"

namespace warden::os {

Status MakePrivateFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (error) return IoError("create the folder of", path, error.value());
  if (mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) return IoError("create", path, errno);
  // From here on by the descriptor, which nobody can put something else in place of.
  const UniqueFd folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.ok()) return IoError("open the folder", path, errno);
  struct stat info{};
  if (fstat(folder.get(), &info) != 0) return IoError("open the folder", path, errno);
  if (info.st_uid != geteuid()) {
    return Status(Code::kIo, fmt::format("{} belongs to another user", path));
  }
  const bool is_private = (info.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO)) == S_IRWXU;
  if (!is_private && fchmod(folder.get(), S_IRWXU) != 0) {
    return IoError("restrict access to", path, errno);
  }
  return Status();
}

}  // namespace warden::os
