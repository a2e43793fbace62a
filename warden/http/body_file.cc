#include "warden/http/body_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace warden::http {

Result<std::unique_ptr<BodyFile>> BodyFile::Open(const FileBody& body) {
  // A pipe of that name must not make us wait.
  const int file = open(body.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    return Status(errno == ENOENT ? Code::kNotFound : Code::kIo,
                  fmt::format("cannot read {}: {}", body.path, std::strerror(errno)));
  }
  std::unique_ptr<BodyFile> opened(new BodyFile(file, body));
  struct stat info{};
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
    return Status(Code::kInvalid, body.path + " is not a file");
  }
  const auto size = static_cast<uint64_t>(info.st_size);
  if (body.offset > size || body.length > size - body.offset) {
    return Status(Code::kInvalid, fmt::format("{} shrank to {} bytes", body.path, size));
  }
  posix_fadvise(file, static_cast<off_t>(body.offset), static_cast<off_t>(body.length),
                POSIX_FADV_SEQUENTIAL);
  return opened;
}

BodyFile::~BodyFile() { close(file_); }

bool BodyFile::Read(std::string* piece) {
  const size_t wanted = static_cast<size_t>(std::min<uint64_t>(piece->size(), left_));
  ssize_t size = 0;
  do {
    size = pread(file_, piece->data(), wanted, static_cast<off_t>(offset_));
  } while (size < 0 && errno == EINTR);
  if (size <= 0) return false;
  piece->resize(static_cast<size_t>(size));
  offset_ += static_cast<uint64_t>(size);
  left_ -= static_cast<uint64_t>(size);
  return true;
}

}  // namespace warden::http
