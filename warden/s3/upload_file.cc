#include "warden/s3/upload_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>

namespace warden::s3 {
namespace {

constexpr std::string_view kPutPrefix = "put-";
constexpr size_t kBuffer = 1 << 20;

}  // namespace

Result<std::unique_ptr<UploadFile>> UploadFile::Create(const std::string& uploads) {
  std::error_code error;
  std::filesystem::create_directories(uploads, error);
  if (error) return os::IoError("create the folder", uploads, error.value());
  std::random_device random;
  std::string path =
      fmt::format("{}/{}{:08x}{:08x}{:08x}", uploads, kPutPrefix, random(), random(), random());
  os::UniqueFd fd(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!fd.ok()) return os::IoError("create", path, errno);
  return std::unique_ptr<UploadFile>(new UploadFile(std::move(path), std::move(fd)));
}

void UploadFile::RemoveLeftOver(const std::string& uploads) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(uploads, error)) {
    if (entry.path().filename().native().starts_with(kPutPrefix)) unlink(entry.path().c_str());
  }
}

UploadFile::~UploadFile() { unlink(path_.c_str()); }

Status UploadFile::Append(std::string_view piece) {
  while (!piece.empty()) {
    const ssize_t written = write(fd_.get(), piece.data(), piece.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return os::IoError("write", path_, errno);
    size_ += static_cast<size_t>(written);
    piece.remove_prefix(static_cast<size_t>(written));
  }
  return Status();
}

Status UploadFile::AppendFrom(int fd, uint64_t offset, uint64_t length) {
  std::string buffer;
  while (length > 0) {
    // The file system may be able to share the blocks.
    off64_t from = static_cast<off64_t>(offset);
    ssize_t copied = copy_file_range(fd, &from, fd_.get(), nullptr, length, 0);
    if (copied > 0) size_ += static_cast<size_t>(copied);
    if (copied < 0) {
      buffer.resize(std::min<uint64_t>(kBuffer, length));
      copied = pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(offset));
      if (copied < 0 && errno == EINTR) continue;
      if (copied < 0) return os::IoError("read the source of the copy to", path_, errno);
      const Status status = Append({buffer.data(), static_cast<size_t>(copied)});
      if (!status.ok()) return status;
    }
    if (copied == 0) {
      return Status(Code::kUnavailable, "the source shrank during the copy");
    }
    offset += static_cast<uint64_t>(copied);
    length -= static_cast<uint64_t>(copied);
  }
  return Status();
}

Status UploadFile::Finish(const ObjectMeta& meta) {
  if (Status status = WriteMeta(fd_.get(), meta); !status.ok()) return status;
  if (fsync(fd_.get()) != 0) return os::IoError("write", path_, errno);
  fd_ = os::UniqueFd();
  return Status();
}

}  // namespace warden::s3
