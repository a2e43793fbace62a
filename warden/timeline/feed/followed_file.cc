#include "warden/timeline/feed/followed_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

namespace warden::timeline {

Status FollowedFile::Open(const std::string& path, FileId id) {
  os::UniqueFd fd(open64(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.ok()) return os::IoError("open", path, errno);
  struct stat info;
  if (fstat(fd.get(), &info) != 0) return os::IoError("open", path, errno);
  if (FileId{info.st_dev, info.st_ino} != id) {
    return Status(Code::kUnavailable, fmt::format("{} was replaced", path));
  }
  fd_ = std::move(fd);
  path_ = path;
  return {};
}

Status FollowedFile::ReadMore(size_t most, bool* more, bool* restarted) {
  *more = *restarted = false;
  struct stat info;
  if (fstat(fd_.get(), &info) != 0) return os::IoError("read", path_, errno);
  const auto size = static_cast<uint64_t>(info.st_size);
  // Closing a timeline takes its last comma back, which is no reason to read it again.
  if (size < offset_ / 2) {
    *restarted = true;
    offset_ = 0;
    text_ = PaddedText();
  }
  if (size <= offset_) return {};
  const auto wanted = static_cast<size_t>(std::min<uint64_t>(most, size - offset_));
  text_.Reserve(text_.size() + wanted);
  const ssize_t got =
      pread(fd_.get(), text_.data() + text_.size(), wanted, static_cast<off_t>(offset_));
  if (got < 0 && errno == EINTR) return {};
  if (got < 0) return os::IoError("read", path_, errno);
  text_.SetSize(text_.size() + static_cast<size_t>(got));
  offset_ += static_cast<uint64_t>(got);
  *more = got > 0;
  return {};
}

double FollowedFile::quiet_seconds() const {
  struct stat info;
  if (fstat(fd_.get(), &info) != 0) return 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto changed =
      std::chrono::seconds(info.st_mtim.tv_sec) + std::chrono::nanoseconds(info.st_mtim.tv_nsec);
  return std::chrono::duration<double>(now - changed).count();
}

}  // namespace warden::timeline
