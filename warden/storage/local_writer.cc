#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>

#include "warden/os/posix.h"
#include "warden/storage/contract.h"
#include "warden/storage/local_parts.h"

namespace warden::storage {
namespace {

Status WriteAll(int fd, std::span<const Bytes> parts, const std::string& path) {
  size_t done = 0;  // Bytes of parts.front() that are written.
  while (!parts.empty()) {
    std::array<iovec, 64> batch;  // Far below IOV_MAX, and more gain nothing.
    const size_t count = std::min(parts.size(), batch.size());
    for (size_t i = 0; i < count; ++i) {
      batch[i] = {const_cast<std::byte*>(parts[i].data()), parts[i].size()};
    }
    batch[0] = {static_cast<std::byte*>(batch[0].iov_base) + done, batch[0].iov_len - done};
    const ssize_t written = writev(fd, batch.data(), static_cast<int>(count));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return os::IoError("write", path, errno);
    for (done += static_cast<size_t>(written); !parts.empty() && done >= parts.front().size();) {
      done -= parts.front().size();
      parts = parts.subspan(1);
    }
  }
  return Status();
}

// Network file systems tell of a full disk only when a file is closed. Closing a second descriptor
// of it brings that to light while the first still holds the lock.
Status Flush(int fd, const std::string& path) {
  const int second = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (second < 0 || close(second) != 0) return os::IoError("write", path, errno);
  return Status();
}

Status Removed(const std::string& path) {
  return Status(Code::kNotFound,
                fmt::format("the folder of {} was removed during the write", path));
}

// Mostly it is one folder, new for each step, that is missing.
Status MakeFolderOf(const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/'));
  if (mkdir(folder.c_str(), 0777) == 0) return Status();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return error ? os::IoError("create the folder", folder, error.value()) : Status();
}

// Neither a FIFO nor a link that somebody put there is written to: this is our own file or none.
Result<os::UniqueFd> OpenForWriting(const std::string& path, int flags) {
  const int all_flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | flags;
  os::UniqueFd fd(open(path.c_str(), all_flags, 0666));
  if (!fd.ok() && errno == ENOENT) {
    if (Status made = MakeFolderOf(path); !made.ok()) return made;
    fd = os::UniqueFd(open(path.c_str(), all_flags, 0666));
  }
  if (!fd.ok()) return errno == ENOENT ? Removed(path) : os::IoError("write", path, errno);
  return fd;
}

// Empties the file if it is a regular one and the one that the path names.
bool TakeOver(int fd, const std::string& path) {
  struct stat mine;
  struct stat named;
  return fstat(fd, &mine) == 0 && S_ISREG(mine.st_mode) && lstat(path.c_str(), &named) == 0 &&
         os::IsSameFile(mine, named) && (mine.st_size == 0 || ftruncate(fd, 0) == 0);
}

// Opens the file of that path, empty, for this writer alone. The lock vanishes with its process, so
// what a killed one left is simply taken over.
Result<os::UniqueFd> OpenAlone(const std::string& path) {
  constexpr int kAttempts = 16;
  for (int i = 0; i < kAttempts; ++i) {
    Result<os::UniqueFd> fd = OpenForWriting(path, 0);
    if (!fd.ok()) return fd;
    // Any other error: this file system has no locks, so we do without.
    if (flock(fd.value().get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) break;
    // Between our opening and our locking it, another writer may have renamed it to its final
    // name. Then it is finished and must not be touched, and the path is free again.
    if (TakeOver(fd.value().get(), path)) return fd;
  }
  return Status(Code::kUnavailable, fmt::format("{} is being written by another writer", path));
}

class LocalWriter final : public ObjectWriter {
 public:
  LocalWriter(std::string path, std::string temporary, os::UniqueFd fd)
      : path_(std::move(path)), temporary_(std::move(temporary)), fd_(std::move(fd)) {}
  ~LocalWriter() override { Abandon(); }

  Status Append(std::span<const Bytes> parts) override {
    if (!fd_.ok()) return NotOpen();
    return AbandonUnlessOk(WriteAll(fd_.get(), parts, temporary_));
  }

  Status Commit() override {
    if (!fd_.ok()) return NotOpen();
    if (Status status = AbandonUnlessOk(Flush(fd_.get(), temporary_)); !status.ok()) return status;
    if (rename(temporary_.c_str(), path_.c_str()) != 0) {
      return AbandonUnlessOk(errno == ENOENT ? Removed(path_) : os::IoError("write", path_, errno));
    }
    fd_ = os::UniqueFd();
    return Status();
  }

 private:
  // Unlinks first: once the lock is gone, another writer may own the name.
  void Abandon() {
    if (fd_.ok()) unlink(temporary_.c_str());
    fd_ = os::UniqueFd();
  }

  Status AbandonUnlessOk(Status status) {
    if (!status.ok()) Abandon();
    return status;
  }

  Status NotOpen() const {
    return Status(Code::kInvalid, fmt::format("{} is already committed or has failed", path_));
  }

  std::string path_;
  std::string temporary_;
  os::UniqueFd fd_;  // Open until the writer is committed or has failed.
};

// Another name for each caller, also on other machines that share the folder.
std::string UniqueTemporary(const std::string& path) {
  std::random_device random;
  return fmt::format("{}.{:08x}{:08x}{}", path, random(), random(), kUnfinishedSuffix);
}

Status PutExclusive(const std::string& path, Bytes body) {
  Result<os::UniqueFd> fd = OpenForWriting(path, O_EXCL);
  if (!fd.ok()) return fd.status();
  Status status = WriteAll(fd.value().get(), std::span(&body, 1), path);
  if (status.ok()) status = Flush(fd.value().get(), path);
  if (!status.ok()) unlink(path.c_str());
  return status;
}

bool IsTaken(const std::string& path) {
  struct stat info;
  return lstat(path.c_str(), &info) == 0;
}

}  // namespace

Result<std::unique_ptr<ObjectWriter>> CreateLocalObject(std::string path) {
  std::string temporary = path + std::string(kUnfinishedSuffix);
  Result<os::UniqueFd> fd = OpenAlone(temporary);
  if (!fd.ok()) return fd.status();
  return std::unique_ptr<ObjectWriter>(
      std::make_unique<LocalWriter>(std::move(path), std::move(temporary), std::move(fd).value()));
}

Status PutLocalIfAbsent(const std::string& path, Bytes body) {
  const Status taken(Code::kExists, fmt::format("{} already exists", path));
  if (IsTaken(path)) return taken;
  const std::string temporary = UniqueTemporary(path);
  if (Status status = PutExclusive(temporary, body); !status.ok()) return status;
  if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) {
    return Status();
  }
  const int error = errno;
  unlink(temporary.c_str());
  if (error == EEXIST) return taken;
  if (error != EINVAL && error != ENOSYS && error != ENOTSUP)
    return os::IoError("write", path, error);
  // This file system cannot rename so (NFS): of many one still succeeds, but a reader may see the
  // object before it is whole.
  Status status = PutExclusive(path, body);
  return !status.ok() && IsTaken(path) ? taken : status;
}

}  // namespace warden::storage
