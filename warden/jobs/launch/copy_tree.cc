#include "warden/jobs/launch/copy_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "warden/os/open_beneath.h"
#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

constexpr int kMostCopiedLevels = 200;
constexpr size_t kCopyChunk = size_t{64} << 20;

Status List(int folder, const std::string& prefix, int level, std::vector<std::string>* names) {
  if (level > kMostCopiedLevels) {
    return Status(Code::kInvalid, "folders are nested too deeply: " + prefix.substr(0, 100));
  }
  const auto opened = os::ReadFolderBeneath(folder, "");
  if (!opened.ok()) return opened.status();
  while (const dirent* entry = readdir(opened.value().get())) {
    const std::string own = entry->d_name;
    struct stat info{};
    if (own == "." || own == "..") continue;
    if (fstatat(folder, own.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISREG(info.st_mode)) names->push_back(prefix + own);
    if (!S_ISDIR(info.st_mode)) continue;
    const auto inner = os::OpenFolderBeneath(folder, own);
    if (!inner.ok()) continue;
    const Status status = List(inner.value().get(), prefix + own + "/", level + 1, names);
    if (!status.ok()) return status;
  }
  return Status();
}

Status CopyContent(int from, int to, const std::string& name) {
  if (ioctl(to, FICLONE, from) == 0) return Status();
  for (;;) {
    const ssize_t copied = copy_file_range(from, nullptr, to, nullptr, kCopyChunk, 0);
    if (copied == 0) return Status();
    if (copied < 0 && errno == EINTR) continue;
    if (copied < 0) break;
  }
  // Between some file systems the kernel does not do it. What it did stays.
  if (errno != EXDEV && errno != EINVAL && errno != EOPNOTSUPP && errno != ENOSYS) {
    return os::IoError("copy", name, errno);
  }
  std::vector<char> buffer(1 << 20);
  for (ssize_t got = 0; (got = read(from, buffer.data(), buffer.size())) != 0;) {
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return os::IoError("read", name, errno);
    for (ssize_t done = 0; done < got;) {
      const ssize_t written = write(to, buffer.data() + done, static_cast<size_t>(got - done));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return os::IoError("write", name, errno);
      done += written;
    }
  }
  return Status();
}

}  // namespace

Result<std::vector<std::string>> FilesBelow(const std::string& folder, const std::string& part) {
  std::vector<std::string> names;
  const os::UniqueFd opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.ok() && os::IsAbsence(errno)) return names;
  if (!opened.ok()) return os::IoError("open", folder, errno);
  const auto start = os::OpenFolderBeneath(opened.get(), part);
  if (start.status().code() == Code::kNotFound) return names;
  if (!start.ok()) return start.status();
  const Status status = List(start.value().get(), part.empty() ? "" : part + "/", 0, &names);
  if (!status.ok()) return status;
  return names;
}

Status CopyBeneath(const std::string& from_folder, const std::string& from,
                   const std::string& to_folder, const std::string& to) {
  const os::UniqueFd source(open(from_folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!source.ok()) return os::IoError("open", from_folder, errno);
  const os::UniqueFd target(open(to_folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!target.ok()) return os::IoError("open", to_folder, errno);
  const auto file = os::OpenFileBeneath(source.get(), from);
  if (!file.ok()) return file.status();
  const auto [parent, own] = os::SplitLast(to);
  const auto folder = os::MakeFolderBeneath(target.get(), parent);
  if (!folder.ok()) return folder.status();
  struct stat info{};
  fstat(file.value().get(), &info);
  const os::UniqueFd copy(openat(folder.value().get(), std::string(own).c_str(),
                                 O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                                 0600 | (info.st_mode & 0755)));
  if (!copy.ok()) return os::IoError("create", to, errno);
  return CopyContent(file.value().get(), copy.get(), to);
}

}  // namespace warden::jobs
