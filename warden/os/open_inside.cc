#include "warden/os/open_inside.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "warden/os/open_beneath.h"

namespace warden::os {
namespace {

// Refuses any link on the whole path. With that, which costs no more than open(2), most paths are
// done: those without links.
int OpenWithoutLinks(const std::string& path, int flags) {
  open_how how = {};
  how.flags = static_cast<uint64_t>(flags);
  how.resolve = RESOLVE_NO_SYMLINKS;
  return static_cast<int>(syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof(how)));
}

// ELOOP: there is a link. The others: this kernel or its filter does not have the call.
bool MustLookCloser(int error) {
  return error == ELOOP || error == ENOSYS || error == EPERM || error == EAGAIN;
}

// Where the open file is, whatever links led there.
std::optional<std::string> PathOf(int fd) {
  std::array<char, PATH_MAX> path;
  const ssize_t length =
      readlink(fmt::format("/proc/self/fd/{}", fd).c_str(), path.data(), path.size());
  if (length <= 0) return std::nullopt;
  return std::string(path.data(), static_cast<size_t>(length));
}

bool IsInside(int fd, const std::string& root) {
  const char* const given = root.empty() ? "." : root.c_str();
  const std::unique_ptr<char, void (*)(void*)> folder(realpath(given, nullptr), std::free);
  const auto path = PathOf(fd);
  if (folder == nullptr || !path) return false;
  const std::string_view real_root = folder.get();
  if (real_root == "/" || *path == real_root) return true;
  return path->starts_with(real_root) && (*path)[real_root.size()] == '/';
}

}  // namespace

UniqueFd OpenInside(const std::string& root, std::string_view key, int flags) {
  const std::string path = root + std::string(key);
  UniqueFd fd(OpenWithoutLinks(path, flags | O_CLOEXEC));
  if (fd.ok() || !MustLookCloser(errno)) return fd;
  fd = UniqueFd(open(path.c_str(), flags | O_CLOEXEC));
  if (!fd.ok() || IsInside(fd.get(), root)) return fd;
  errno = ELOOP;
  return UniqueFd();
}

std::optional<struct stat> StatInside(const std::string& folder, std::string_view key) {
  if (folder.empty()) return std::nullopt;
  const UniqueFd fd = OpenInside(folder + "/", key, O_PATH);
  struct stat info = {};
  if (!fd.ok() || fstat(fd.get(), &info) != 0) return std::nullopt;
  return info;
}

std::vector<std::string> NamesInside(const std::string& folder, std::string_view key) {
  std::vector<std::string> names;
  if (folder.empty()) return names;
  const UniqueFd fd = OpenInside(folder + "/", key, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
  if (!fd.ok()) return names;
  const auto opened = ReadFolderBeneath(fd.get(), "");
  if (!opened.ok()) return names;
  while (const dirent* const entry = readdir(opened.value().get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

}  // namespace warden::os
