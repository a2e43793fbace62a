#include "warden/os/open_beneath.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <vector>

namespace warden::os {
namespace {

// Each level takes a file descriptor.
constexpr int kMaxFolderDepth = 100;

// What is there is something else, or nothing.
bool IsNotThere(int error) {
  return error == ENOENT || error == ENOTDIR || error == ELOOP || error == ENAMETOOLONG;
}

Result<UniqueFd> Walk(int folder, std::string_view path, bool make) {
  UniqueFd at(openat(folder, ".", kFolderFlags));
  if (!at.ok()) return IoError("open", ".", errno);
  while (!path.empty()) {
    const size_t slash = path.find('/');
    const std::string part(path.substr(0, slash));
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    UniqueFd next(openat(at.get(), part.c_str(), kFolderFlags));
    if (!next.ok() && errno == ENOENT && make) {
      if (mkdirat(at.get(), part.c_str(), 0777) != 0 && errno != EEXIST) {
        return IoError("create the folder", part, errno);
      }
      next = UniqueFd(openat(at.get(), part.c_str(), kFolderFlags));
    }
    if (!next.ok()) {
      if (!IsNotThere(errno)) return IoError("open", part, errno);
      return Status(make ? Code::kExists : Code::kNotFound,
                    fmt::format("'{}' is not a folder", part));
    }
    at = std::move(next);
  }
  return at;
}

bool RemoveEmpty(int folder, const std::string& name, int depth) {
  if (depth > kMaxFolderDepth) return false;
  if (unlinkat(folder, name.c_str(), AT_REMOVEDIR) == 0) return true;
  if (errno != ENOTEMPTY && errno != EEXIST) return false;
  std::vector<std::string> names;
  {
    Result<OpenedFolder> dir = ReadFolderBeneath(folder, name);
    if (!dir.ok()) return false;
    while (const dirent* entry = readdir(dir.value().get())) {
      const std::string_view found = entry->d_name;
      if (found == "." || found == "..") continue;
      if (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN) return false;
      names.emplace_back(found);
    }
  }
  for (const std::string& inner : names) {
    const Result<UniqueFd> fd = OpenFolderBeneath(folder, name);
    if (!fd.ok() || !RemoveEmpty(fd.value().get(), inner, depth + 1)) return false;
  }
  return unlinkat(folder, name.c_str(), AT_REMOVEDIR) == 0;
}

}  // namespace

Result<UniqueFd> OpenFolderBeneath(int folder, std::string_view path) {
  return Walk(folder, path, false);
}

Result<UniqueFd> MakeFolderBeneath(int folder, std::string_view path) {
  return Walk(folder, path, true);
}

Result<OpenedFolder> ReadFolderBeneath(int folder, std::string_view path) {
  Result<UniqueFd> fd = OpenFolderBeneath(folder, path);
  if (!fd.ok()) return fd.status();
  // The stream closes its own.
  const int own = fcntl(fd.value().get(), F_DUPFD_CLOEXEC, 0);
  if (own < 0) return IoError("open", path, errno);
  OpenedFolder dir(fdopendir(own));
  if (dir == nullptr) {
    const int error = errno;
    close(own);
    return IoError("read the folder", path, error);
  }
  return dir;
}

Result<UniqueFd> OpenFileBeneath(int folder, std::string_view path) {
  const auto [parent, name] = SplitLast(path);
  Result<UniqueFd> in = OpenFolderBeneath(folder, parent);
  if (!in.ok()) return in.status();
  UniqueFd fd(openat(in.value().get(), std::string(name).c_str(),
                     O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  const Status absent(Code::kNotFound, fmt::format("no file '{}'", path));
  if (!fd.ok()) return IsNotThere(errno) || errno == ENXIO ? absent : IoError("open", path, errno);
  struct stat info;
  if (fstat(fd.get(), &info) != 0 || !S_ISREG(info.st_mode)) return absent;
  return fd;
}

bool RemoveEmptyFolders(int folder, const std::string& name) {
  return RemoveEmpty(folder, name, 0);
}

std::pair<std::string_view, std::string_view> SplitLast(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {{}, path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

}  // namespace warden::os
