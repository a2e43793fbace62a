#include "warden/jobs/launch/tar_source.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>

#include "warden/os/posix.h"

namespace warden::jobs {
namespace {

constexpr unsigned kBuffer = 64 << 10;

}  // namespace

void TarSource::Close::operator()(gzFile_s* file) const { gzclose(file); }

Result<TarSource> TarSource::Open(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0 && os::IsAbsence(errno)) {
    return Status(Code::kNotFound, "cannot open " + path + ": no such file");
  }
  if (fd < 0) return os::IoError("open", path, errno);
  gzFile file = gzdopen(fd, "rb");
  if (file == nullptr) {
    close(fd);
    return Status(Code::kIo, "cannot read " + path);
  }
  gzbuffer(file, kBuffer);
  return TarSource(file);
}

Status TarSource::Read(char* to, size_t size) {
  const int got = gzread(file_.get(), to, static_cast<unsigned>(size));
  if (got >= 0 && static_cast<size_t>(got) == size) return Status();
  return Status(Code::kCorrupt,
                got < 0 ? "the compressed data is damaged" : "unexpected end of the archive");
}

Result<bool> TarSource::ReadHeader(TarBlock* block) {
  const int got = gzread(file_.get(), block->data(), kTarBlock);
  int error = 0;
  gzerror(file_.get(), &error);
  if (got == 0 && error == Z_OK) return false;
  if (got == static_cast<int>(kTarBlock)) return true;
  const bool short_of = error == Z_OK || error == Z_BUF_ERROR;
  return Status(Code::kCorrupt,
                short_of ? "unexpected end of the archive" : "the compressed data is damaged");
}

}  // namespace warden::jobs
