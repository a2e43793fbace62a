#include "warden/monitor/unfinished_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace warden::monitor {
namespace {

Status MakeFolderOf(const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/'));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return error ? os::IoError("create", folder, error.value()) : Status();
}

// Where the last whole line ends; -1 on an error.
int64_t EndOfLines(int fd, int64_t size) {
  std::array<char, 4096> block;
  while (size > 0) {
    const int64_t start = std::max<int64_t>(0, size - static_cast<int64_t>(block.size()));
    const ssize_t got = pread(fd, block.data(), static_cast<size_t>(size - start), start);
    if (got != size - start) return -1;
    const size_t end = std::string_view(block.data(), static_cast<size_t>(got)).rfind('\n');
    if (end != std::string_view::npos) return start + static_cast<int64_t>(end) + 1;
    size = start;
  }
  return 0;
}

// Both names exist where a program ended between two steps of another: one becomes the other's end.
Status Join(int unfinished, const std::string& unfinished_path, const std::string& whole) {
  const os::UniqueFd to(open(whole.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!to.ok()) return os::IoError("open", whole, errno);
  std::array<char, 65536> block;
  off_t at = 0;
  while (true) {
    const ssize_t got = pread(unfinished, block.data(), block.size(), at);
    if (got < 0) return os::IoError("read", unfinished_path, errno);
    if (got == 0) break;
    if (write(to.get(), block.data(), static_cast<size_t>(got)) != got) {
      return os::IoError("write", whole, errno);
    }
    at += got;
  }
  return unlink(unfinished_path.c_str()) == 0 ? Status()
                                              : os::IoError("remove", unfinished_path, errno);
}

}  // namespace

Result<UnfinishedFile> UnfinishedFile::Open(const std::string& unfinished,
                                            const std::string& whole) {
  if (const Status made = MakeFolderOf(unfinished); !made.ok()) return made;
  // What was closed within the same minute is opened again.
  if (os::PathExists(whole) && !os::PathExists(unfinished) &&
      rename(whole.c_str(), unfinished.c_str()) != 0) {
    return os::IoError("rename", whole, errno);
  }
  UnfinishedFile file;
  file.unfinished_ = unfinished;
  file.whole_ = whole;
  file.fd_ = os::UniqueFd(::open(
      unfinished.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
  if (!file.fd_.ok()) return os::IoError("open", unfinished, errno);
  if (flock(file.fd_.get(), LOCK_EX | LOCK_NB) != 0) {
    return Status(Code::kUnavailable, fmt::format("another process is writing {}", unfinished));
  }
  struct stat info{};
  if (fstat(file.fd_.get(), &info) != 0) return os::IoError("open", unfinished, errno);
  file.size_ = S_ISREG(info.st_mode) ? EndOfLines(file.fd_.get(), info.st_size) : -1;
  if (file.size_ < 0 || ftruncate(file.fd_.get(), file.size_) != 0) {
    return os::IoError("read", unfinished, errno == 0 ? EIO : errno);
  }
  return file;
}

Status UnfinishedFile::Append(std::string_view lines) {
  struct stat info{};
  if (fstat(fd_.get(), &info) != 0 || info.st_nlink == 0) {
    return Status(Code::kNotFound, fmt::format("{} was removed", unfinished_));
  }
  const ssize_t wrote = write(fd_.get(), lines.data(), lines.size());
  if (wrote == static_cast<ssize_t>(lines.size())) {
    size_ += wrote;
    return Status();
  }
  const int error = wrote < 0 ? errno : ENOSPC;
  // A line that has a beginning only would spoil the file for the original's readers.
  if (wrote > 0 && ftruncate(fd_.get(), size_) != 0)
    return os::IoError("shorten", unfinished_, errno);
  return os::IoError("write", unfinished_, error);
}

Status UnfinishedFile::Finish() {
  const os::UniqueFd fd = std::move(fd_);
  if (size_ == 0)
    return unlink(unfinished_.c_str()) == 0 ? Status() : os::IoError("remove", unfinished_, errno);
  if (os::PathExists(whole_)) return Join(fd.get(), unfinished_, whole_);
  if (rename(unfinished_.c_str(), whole_.c_str()) != 0)
    return os::IoError("rename", unfinished_, errno);
  return Status();
}

}  // namespace warden::monitor
