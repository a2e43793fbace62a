#ifndef WARDEN_JOBS_LAUNCH_TAR_SOURCE_H_
#define WARDEN_JOBS_LAUNCH_TAR_SOURCE_H_

#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/jobs/launch/tar_header.h"

struct gzFile_s;  // NOLINT: the name is zlib's own.

namespace warden::jobs {

// The bytes of an archive, uncompressed where it is compressed by gzip.
class TarSource {
 public:
  // kNotFound, kIo.
  static Result<TarSource> Open(const std::string& path);

  // All of size, or kCorrupt.
  Status Read(char* to, size_t size);
  // False where the archive ends without its two empty blocks, as some do. kCorrupt.
  Result<bool> ReadHeader(TarBlock* block);

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };
  explicit TarSource(gzFile_s* file) : file_(file) {}

  std::unique_ptr<gzFile_s, Close> file_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_TAR_SOURCE_H_
