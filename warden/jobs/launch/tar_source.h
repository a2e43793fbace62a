#ifndef WARDEN_JOBS_LAUNCH_TAR_SOURCE_H_
#define WARDEN_JOBS_LAUNCH_TAR_SOURCE_H_

// Reads archives for extract.h, block by block.

#include <memory>
#include <string>

#include "warden/base/status.h"
#include "warden/jobs/launch/tar_header.h"

struct gzFile_s;  // NOLINT: the name is zlib's own.

namespace warden::jobs {

// The bytes of an archive, decompressed if it is compressed by gzip (detected automatically). For
// one thread. Moved, not copied. Reads 64 KB of the file at once. Archives come from users: nothing
// that they say is believed before it is checked (extract.h).
class TarSource {
 public:
  // Does not follow a link, and never waits for a pipe. kNotFound, kIo.
  static Result<TarSource> Open(const std::string& path);

  // Reads exactly size bytes; kCorrupt if there are fewer, or the data is damaged. size: less than
  // 2 GB.
  Status Read(char* to, size_t size);
  // Reads the next block. False: the archive ends here, without its two empty blocks, as some do.
  // kCorrupt.
  Result<bool> ReadHeader(TarBlock* block);

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };
  explicit TarSource(gzFile_s* file) : file_(file) {}  // Takes it over.

  std::unique_ptr<gzFile_s, Close> file_;
};

}  // namespace warden::jobs

#endif  // WARDEN_JOBS_LAUNCH_TAR_SOURCE_H_
