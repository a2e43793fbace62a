#include "warden/os/replace_file.h"

#include <fcntl.h>
#include <fmt/format.h>
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

}  // namespace

Status ReplaceFile(const std::string& path, std::string_view text, mode_t mode) {
  static std::atomic<unsigned> count = 0;
  const std::string draft = fmt::format("{}.{}-{}.tmp", path, getpid(), ++count);
  // One that was left by a process of the same number must not lend it its mode or its links.
  unlink(draft.c_str());
  Status status;
  {
    const UniqueFd file(
        open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
    if (!file.ok()) return IoError("create", draft, errno);
    status = WriteAll(file.get(), text, draft);
  }
  if (status.ok() && rename(draft.c_str(), path.c_str()) != 0) {
    status = IoError("write", path, errno);
  }
  if (!status.ok()) unlink(draft.c_str());
  return status;
}

}  // namespace warden::os
