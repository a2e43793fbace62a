#include "warden/service/data_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "warden/os/posix.h"
#include "warden/service/options.h"

namespace warden::service {
namespace {

// What people put into the folder before the first start.
constexpr std::string_view kPrepared[] = {"environments.json", "events.json", "credentials",
                                          "token"};

// Whether it may be shut for others: a service has been in it, or nothing is in it but what is
// meant for one.
bool IsOurs(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(DataLayout(path).Database(), error)) return true;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    if (std::find(std::begin(kPrepared), std::end(kPrepared), name) == std::end(kPrepared)) {
      return false;
    }
  }
  return !error;
}

Status MakePrivate(const std::string& path) {
  // What is looked at is what is changed, whatever the path leads to meanwhile.
  const os::UniqueFd folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.ok() && errno == ENOTDIR) {
    return Status(Code::kInvalid, path + " is not a folder");
  }
  struct stat info{};
  if (!folder.ok() || fstat(folder.get(), &info) != 0) return os::IoError("open", path, errno);
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
  if (fchmod(folder.get(), 0700) == 0) return Status();
  return os::IoError("restrict access to", path, errno);
}

}  // namespace

Result<std::string> StandardDataFolder() {
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && *data == '/') return std::string(data) + "/tensorwarden";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::string(home) + "/.local/share/tensorwarden";
  return Status(Code::kInvalid, "no home folder found; set the data folder with --data");
}

Result<DataFolder> DataFolder::Hold(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return os::IoError("create the folder", path, error.value());
  if (Status status = MakePrivate(path); !status.ok()) return status;
  auto lock = FolderLock::Take(path);
  if (!lock.ok()) return lock.status();
  return DataFolder(std::move(lock).value());
}

}  // namespace warden::service
