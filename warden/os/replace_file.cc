#include "warden/os/replace_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>

#include "warden/os/posix.h"

namespace warden::os {
namespace {

Status WriteAll(int file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return IoError("write", path, errno);
    text.remove_prefix(static_cast<size_t>(written));
  }
  if (fsync(file) != 0) return IoError("write", path, errno);
  return Status();
}

// exactly: the mode, whatever the umask.
Status Replace(int folder, const std::string& path, std::string_view text, mode_t mode,
               bool exactly) {
  static std::atomic<unsigned> count = 0;
  const std::string draft = fmt::format("{}.{}-{}.tmp", path, getpid(), ++count);
  // One that was left by a process of the same number must not lend it its mode or its links.
  unlinkat(folder, draft.c_str(), 0);
  Status status;
  {
    const UniqueFd file(
        openat(folder, draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
    if (!file.ok()) return IoError("create", draft, errno);
    status = WriteAll(file.get(), text, draft);
    if (status.ok() && exactly && fchmod(file.get(), mode) != 0) {
      status = IoError("change permissions of", draft, errno);
    }
  }
  if (status.ok() && renameat(folder, draft.c_str(), folder, path.c_str()) != 0) {
    status = IoError("write", path, errno);
  }
  if (!status.ok()) unlinkat(folder, draft.c_str(), 0);
  return status;
}

}  // namespace

Status ReplaceFile(const std::string& path, std::string_view text, mode_t mode) {
  return Replace(AT_FDCWD, path, text, mode, /*exactly=*/false);
}

Status ReplaceFileIn(int folder, const std::string& name, std::string_view text, mode_t mode) {
  return Replace(folder, name, text, mode, /*exactly=*/true);
}

}  // namespace warden::os
